/** What both sides of a web call's WebSocket name as its subprotocol, beside the ticket. */
export const WEB_CALL_PROTOCOL = 'callwright';

const TICKET_PREFIX = 'ticket.';

/** The subprotocols of a connection with this ticket. */
export function protocolsFor(ticket: string): string[] {
  return [WEB_CALL_PROTOCOL, `${TICKET_PREFIX}${ticket}`];
}

/** The ticket of a connection: out of its subprotocols, or its address where it names none; empty where it has none. */
export function readTicket(protocols: string | undefined, query: URLSearchParams): string {
  const named = (protocols ?? '')
    .split(',')
    .map((each) => each.trim())
    .find((each) => each.startsWith(TICKET_PREFIX));
  return named?.slice(TICKET_PREFIX.length) ?? query.get('ticket') ?? '';
}
