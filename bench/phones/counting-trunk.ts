/**
 * A telephone company on loopback that counts: each INVITE by the person that it is for, copies of one left out (they
 * have its branch). Some people are busy, some let it ring, most answer and hang up after a while.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { parseNameAddr, parseUri, readEssentials } from '#lib/adapters/carriers/sip/grammar.ts';
import {
  header,
  parseMessage,
  responseTo,
  serializeMessage,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from '#lib/adapters/carriers/sip/message.ts';

const HOST = '127.0.0.1';
const REPEAT_MS = 500;
const REPEATS = 12;

export type CountingTrunk = {
  uri: string;
  /** INVITEs that differ, by the number that was called. */
  invites(): Map<string, number>;
  /** Calls that were answered, were cancelled, and still ring or talk. */
  counts(): { answered: number; cancelled: number; open: number };
  /** What is open, for a person who looks for why. */
  open(): string[];
  /** While the network is cut nothing arrives, and nothing that is sent does. */
  setCut(isCut: boolean): void;
  close(): void;
};

type Call = {
  invite: SipRequest;
  port: number;
  tag: string;
  state: 'ringing' | 'answered' | 'over';
  stop(): void;
};

/** What a person does: never answers, is busy, or answers after some ringing and hangs up after some talk. */
export type Person = { answersAfterMs?: number; busy?: boolean; talksMs: number };

export async function openCountingTrunk(
  personOf: (number: string) => Person = randomPerson,
): Promise<CountingTrunk> {
  const socket = createSocket('udp4');
  socket.bind(0, HOST);
  await once(socket, 'listening');
  const { port: ownPort } = socket.address();
  const seen = new Map<string, Set<string>>();
  const calls = new Map<string, Call>();
  const count = { answered: 0, cancelled: 0 };

  let isCut = false;
  const send = (message: SipMessage, port: number) =>
    isCut || socket.send(serializeMessage(message), port, HOST);

  /** Until `isDone`, or for six seconds. */
  function repeat(action: () => void, isDone: () => boolean): () => void {
    let left = REPEATS;
    action();
    const timer = setInterval(() => {
      if (isDone() || (left -= 1) === 0) return clearInterval(timer);
      action();
    }, REPEAT_MS);
    return () => clearInterval(timer);
  }

  function receiveInvite(request: SipRequest, callId: string, branch: string, port: number): void {
    const number = parseUri(request.uri)?.user ?? '';
    const branches = seen.get(number) ?? new Set();
    if (branches.has(branch)) return;
    seen.set(number, branches.add(branch));
    const call: Call = {
      invite: request,
      port,
      tag: `trunk${randomInt(2 ** 31)}`,
      state: 'ringing',
      stop() {},
    };
    calls.set(callId, call);
    send(responseTo(request, 100), port);
    const person = personOf(number);
    if (person.busy) return end(call, 486);
    send(responseTo(request, 180, call.tag), port);
    if (person.answersAfterMs === undefined) return;
    const timer = setTimeout(() => answer(call, person.talksMs), person.answersAfterMs);
    call.stop = () => clearTimeout(timer);
  }

  function end(call: Call, status: number): void {
    call.stop();
    call.state = 'over';
    send(responseTo(call.invite, status, call.tag), call.port);
  }

  function answer(call: Call, talksMs: number): void {
    count.answered += 1;
    call.state = 'answered';
    const ok = withBody(responseTo(call.invite, 200, call.tag), ownPort);
    const stopRepeating = repeat(
      () => send(ok, call.port),
      () => call.state === 'over',
    );
    const timer = setTimeout(() => hangUp(call), talksMs);
    call.stop = () => {
      clearTimeout(timer);
      stopRepeating();
    };
  }

  /** Nobody may be there any more to answer the BYE. */
  function hangUp(call: Call): void {
    call.stop();
    const bye = byeOf(call, ownPort);
    const target =
      parseUri(parseNameAddr(header(call.invite, 'contact') ?? '')?.uri ?? '')?.port ?? call.port;
    call.stop = repeat(
      () => send(bye, target),
      () => call.state === 'over',
    );
    setTimeout(() => (call.state = 'over'), REPEAT_MS * REPEATS).unref();
  }

  socket.on('message', (bytes, from) => {
    if (isCut) return;
    const parsed = parseMessage(bytes);
    if (!parsed.ok) return;
    const { message } = parsed;
    const read = readEssentials(message);
    if (!read.ok) return;
    const { callId, branch = '', cseqMethod } = read.essentials;
    const call = calls.get(callId);
    if (message.kind === 'response') {
      if (cseqMethod === 'BYE' && call) Object.assign(call, { state: 'over' });
      return;
    }
    switch (message.method) {
      case 'INVITE':
        return receiveInvite(message, callId, branch, from.port);
      case 'CANCEL':
        // The branch and whose it is have to be those of the INVITE (RFC 3261, section 17.2.3).
        if (call?.state !== 'ringing' || placeOf(message) !== placeOf(call.invite))
          return send(responseTo(message, 481, 'trunk'), from.port);
        send(responseTo(message, 200, 'trunk'), from.port);
        count.cancelled += 1;
        return end(call, 487);
      case 'BYE':
        call?.stop();
        if (call) call.state = 'over';
        return send(responseTo(message, 200), from.port);
    }
  });

  return {
    uri: `sip:${HOST}:${ownPort}`,
    invites: () => new Map([...seen].map(([number, branches]) => [number, branches.size])),
    counts: () => ({ ...count, open: [...calls.values()].filter(({ state }) => state !== 'over').length }),
    open: () =>
      [...calls]
        .filter(([, { state }]) => state !== 'over')
        .map(([callId, { state }]) => `${state} ${callId}`),
    setCut: (now) => void (isCut = now),
    close() {
      for (const call of calls.values()) call.stop();
      socket.close();
    },
  };
}

const placeOf = (request: SipRequest) =>
  (header(request, 'via') ?? '').replace(/;(?:rport|received)[^;]*/g, '');

function randomPerson(): Person {
  const dice = Math.random();
  const talksMs = 300 + Math.random() * 2_500;
  if (dice < 0.1) return { busy: true, talksMs };
  if (dice < 0.2) return { talksMs };
  return { answersAfterMs: 50 + Math.random() * 600, talksMs };
}

function withBody(response: SipResponse, port: number): SipResponse {
  response.headers.set('contact', [`<sip:trunk@${HOST}:${port}>`]);
  response.headers.set('content-type', ['application/sdp']);
  response.body = `v=0\r\no=trunk 1 1 IN IP4 ${HOST}\r\ns=-\r\nc=IN IP4 ${HOST}\r\nt=0 0\r\nm=audio ${port} RTP/AVP 0\r\n`;
  return response;
}

function byeOf({ invite, tag }: Call, port: number): SipRequest {
  const headers = new Map([
    ['via', [`SIP/2.0/UDP ${HOST}:${port};branch=z9hG4bK${randomInt(2 ** 31)}`]],
    ['max-forwards', ['70']],
    ['from', [`${header(invite, 'to')};tag=${tag}`]],
    ['to', [header(invite, 'from') ?? '']],
    ['call-id', [header(invite, 'call-id') ?? '']],
    ['cseq', ['1 BYE']],
  ]);
  const uri = parseNameAddr(header(invite, 'contact') ?? '')?.uri ?? '';
  return { kind: 'request', method: 'BYE', uri, headers, body: '' };
}
