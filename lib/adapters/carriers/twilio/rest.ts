import type { Twilio } from 'twilio';
import { callbackUrl, type TwilioSettings } from './settings.ts';
import { connectTwiml } from './twiml.ts';

/** A call as Twilio lists it. */
export type ListedCall = { sid: string; status: string; createdAt: Date };

/** `refused`: nobody is called. `unknown`: the request may have been taken, and is not made again. */
export type Placed =
  | { kind: 'placed'; sid: string; status: string }
  | { kind: 'refused'; code: number | undefined; message: string }
  | { kind: 'unknown'; message: string };

/** What this service asks of Twilio's REST API. All but `place` reject where it fails. */
export type TwilioRest = {
  /** Loads the library, which stops a process for some 100 ms: better before calls than during them. */
  prepare(): Promise<void>;
  place(call: { reference: string; from: string; to: string }): Promise<Placed>;
  /** Calls from one number to another, the latest first. */
  list(call: { from: string; to: string }): Promise<ListedCall[]>;
  status(sid: string): Promise<string>;
  /** Ends a call, whatever its state. */
  complete(sid: string): Promise<void>;
  /** Gives a call that is in progress other instructions. */
  update(sid: string, twiml: string): Promise<void>;
  /** Whether Twilio said no, and nothing was done. */
  isRefusal(error: unknown): boolean;
};

const ORIGIN = 'https://api.twilio.com';
/** What takes longer has failed, or its answer is lost. */
const TIMEOUT_MS = 8_000;
const RING_SECONDS = 60;
const LISTED = 20;
/** Connections that were never made: nothing was asked. */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** The official library is loaded when it is needed: it is large, and most services have no account there. */
export function createTwilioRest(settings: TwilioSettings, { timeoutMs = TIMEOUT_MS } = {}): TwilioRest {
  let client: Promise<Twilio> | undefined;
  const open = () => (client ??= openClient(settings, timeoutMs));

  return {
    // Its parts are loaded when they are asked for.
    prepare: async () => void (await open()).calls,
    async place({ reference, from, to }) {
      const api = await open();
      try {
        const call = await api.calls.create({
          to,
          from,
          twiml: connectTwiml(settings, reference),
          timeout: RING_SECONDS,
          statusCallback: callbackUrl(settings, 'status', reference),
          statusCallbackMethod: 'POST',
          statusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
          ...machineDetection(settings, reference),
        });
        return { kind: 'placed', sid: call.sid, status: call.status };
      } catch (error) {
        return describeFailure(error);
      }
    },
    async list({ from, to }) {
      const api = await open();
      const calls = await api.calls.list({ from, to, limit: LISTED });
      return calls
        .filter(({ direction }) => direction === 'outbound-api')
        .map(({ sid, status, dateCreated }) => ({ sid, status, createdAt: dateCreated }));
    },
    status: async (sid) => (await (await open()).calls(sid).fetch()).status,
    complete: async (sid) => void (await (await open()).calls(sid).update({ status: 'completed' })),
    update: async (sid, twiml) => void (await (await open()).calls(sid).update({ twiml })),
    isRefusal: (error) => describeFailure(error).kind === 'refused',
  };
}

async function openClient(
  { accountSid, authToken, apiBase }: TwilioSettings,
  timeoutMs: number,
): Promise<Twilio> {
  const { default: twilio } = await import('twilio');
  const http = new twilio.RequestClient({ timeout: timeoutMs });
  return twilio(accountSid, authToken, {
    httpClient: {
      // The library knows its own host only.
      request: (options) => http.request({ ...options, uri: options.uri.replace(ORIGIN, apiBase) }),
    } as InstanceType<typeof twilio.RequestClient>,
  });
}

/** In the background: the person who answers must not wait for its verdict. */
function machineDetection(settings: TwilioSettings, reference: string) {
  if (!settings.detectsMachines) return {};
  return {
    machineDetection: 'DetectMessageEnd',
    asyncAmd: 'true',
    asyncAmdStatusCallback: callbackUrl(settings, 'machine', reference),
    asyncAmdStatusCallbackMethod: 'POST',
  };
}

/** An answer of 4xx says that nothing was done; whatever else went wrong says nothing. */
function describeFailure(error: unknown): Placed {
  const fields: { status?: unknown; code?: unknown; message?: unknown } =
    typeof error === 'object' && error !== null ? error : {};
  const message = typeof fields.message === 'string' ? fields.message : String(error);
  const { status, code } = fields;
  const isRefused = typeof status === 'number' && status >= 400 && status < 500 && status !== 408;
  if (isRefused) return { kind: 'refused', code: typeof code === 'number' ? code : status, message };
  if (typeof code === 'string' && NOT_SENT.has(code)) return { kind: 'refused', code: undefined, message };
  return { kind: 'unknown', message };
}
