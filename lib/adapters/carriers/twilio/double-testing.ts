import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openFarEnd, signature, type StreamFarEnd } from './far-end-testing.ts';
import { readTwiml, type Verb } from './twiml-testing.ts';

export type DoubleCall = {
  sid: string;
  from: string;
  to: string;
  status: string;
  direction: 'outbound-api' | 'inbound';
  createdAt: Date;
  /** The form that placed it, or that its webhook was asked with. */
  form: Record<string, string>;
  /** TwiML that it was given, in order. */
  instructions: string[];
  stream?: StreamFarEnd | undefined;
  /** Whom it was handed to. */
  dialled: { to: string; callerId: string | undefined }[];
};

/** How a request to place a call goes wrong. What is `taken` is placed all the same. */
export type CreateFault =
  | { kind: 'refused'; status: number; code: number }
  | { kind: 'silent'; taken: boolean }
  | { kind: 'broken'; taken: boolean }
  | { kind: 'server_error'; taken: boolean };

/** What the person does who is called: answers, or the last state of a call that never connects. */
export type Manner = 'answers' | 'rings' | 'busy' | 'no-answer' | 'failed';

export type TwilioDouble = Awaited<ReturnType<typeof openTwilioDouble>>;

/**
 * A Twilio of one account: its REST API for calls, its webhooks and callbacks, signed, and its Media Streams in real time.
 * It keeps to what it is told by TwiML, and to nothing else.
 */
export async function openTwilioDouble({ accountSid = 'ACdouble', authToken = 'token of the double' } = {}) {
  const calls: DoubleCall[] = [];
  const asked: { method: string; path: string; form: Record<string, string> }[] = [];
  const manners = new Map<string, Manner>();
  /** What those answer who a call is handed to: a DialCallStatus. */
  const transfers = new Map<string, string>();
  const faults = {
    create: [] as CreateFault[],
    /** Requests about a call that exists, answered with this status. */
    update: [] as number[],
    signsWrongly: false,
    signsStreamsWrongly: false,
    losesMarks: false,
    /** Packets that streams gather before they play. */
    gathers: 0,
    /** Callbacks of states do not go out. */
    losesCallbacks: false,
    /** Callbacks and webhooks that go out twice. */
    repeats: false,
  };
  const background = new Set<Promise<unknown>>();
  const problems: unknown[] = [];
  let lastSid = 0;

  function later(work: Promise<unknown>): void {
    const kept = work.catch((error: unknown) => problems.push(error)).finally(() => background.delete(kept));
    background.add(kept);
  }

  /** A request to the service, as Twilio makes them. */
  async function post(
    url: string,
    fields: Record<string, string>,
  ): Promise<{ status: number; body: string }> {
    const token = faults.signsWrongly ? 'another token' : authToken;
    const send = () =>
      fetch(url, {
        method: 'POST',
        headers: { 'x-twilio-signature': signature(token, url, fields) },
        body: new URLSearchParams(fields),
      });
    try {
      if (faults.repeats) await (await send()).text();
      const answer = await send();
      return { status: answer.status, body: await answer.text() };
    } catch {
      // Nobody is there: Twilio notes it, and goes on.
      return { status: 0, body: '' };
    }
  }

  const about = (call: DoubleCall) => ({
    AccountSid: accountSid,
    ApiVersion: '2010-04-01',
    CallSid: call.sid,
    CallStatus: call.status,
    Direction: call.direction,
    From: call.from,
    To: call.to,
  });

  async function tellStatus(call: DoubleCall, status: string): Promise<void> {
    call.status = status;
    const { StatusCallback: url } = call.form;
    if (url && !faults.losesCallbacks)
      await post(url, { ...about(call), CallbackSource: 'call-progress-events' });
  }

  async function finish(call: DoubleCall, status = 'completed'): Promise<void> {
    if (['completed', 'busy', 'failed', 'no-answer', 'canceled'].includes(call.status)) return;
    call.status = status;
    const { stream } = call;
    call.stream = undefined;
    await stream?.stop();
    await tellStatus(call, status);
  }

  async function ask(call: DoubleCall, url: string, fields: Record<string, string> = {}): Promise<void> {
    const { status, body } = await post(url, { ...about(call), ...fields });
    if (status !== 200) return finish(call, 'failed');
    await follow(call, body);
  }

  /** Does what TwiML says, verb by verb. */
  async function follow(call: DoubleCall, twiml: string): Promise<void> {
    call.instructions.push(twiml);
    for (const verb of readTwiml(twiml)) {
      if (call.status === 'completed' || call.instructions.at(-1) !== twiml) return;
      if (!(await perform(call, verb))) return;
    }
    await finish(call);
  }

  /** False where nothing is to follow. */
  async function perform(call: DoubleCall, verb: Verb): Promise<boolean> {
    switch (verb.name) {
      case 'Reject':
        await finish(call, verb.attributes.reason === 'busy' ? 'busy' : 'no-answer');
        return false;
      case 'Hangup':
        await finish(call);
        return false;
      case 'Say':
        return true;
      case 'Connect':
        return connect(call, verb);
      case 'Dial':
        return dial(call, verb);
      default:
        throw new Error(`The double does not know <${verb.name}>`);
    }
  }

  async function connect(call: DoubleCall, { attributes, children }: Verb): Promise<boolean> {
    const [stream] = children;
    const { url = '' } = stream?.attributes ?? {};
    if (url.includes('?')) throw new Error('A stream takes no query');
    const parameters = stream?.children.map(({ attributes: { name = '', value = '' } }) => [name, value]);
    const closed = Promise.withResolvers<void>();
    try {
      call.stream = await openFarEnd({
        url,
        authToken,
        signsWrongly: faults.signsStreamsWrongly,
        losesMarks: faults.losesMarks,
        gathers: faults.gathers,
        start: { accountSid, callSid: call.sid, customParameters: Object.fromEntries(parameters ?? []) },
        onClosed: () => {
          if (call.stream) closed.resolve();
        },
      });
      if (call.direction === 'inbound') call.status = 'in-progress';
      await closed.promise;
      call.stream = undefined;
    } catch {
      call.stream = undefined;
    }
    if (attributes.action) later(ask(call, attributes.action));
    return attributes.action === undefined;
  }

  async function dial(call: DoubleCall, { attributes, children }: Verb): Promise<boolean> {
    const [number] = children;
    const to = number?.text ?? '';
    call.dialled.push({ to, callerId: attributes.callerId });
    const outcome = transfers.get(to) ?? 'completed';
    const { statusCallback } = number?.attributes ?? {};
    if (outcome === 'rings') return false;
    if (outcome === 'completed' && statusCallback)
      await post(statusCallback, {
        ...about(call),
        CallSid: 'CAchild',
        ParentCallSid: call.sid,
        CallStatus: 'in-progress',
      });
    if (attributes.action) later(ask(call, attributes.action, { DialCallStatus: outcome }));
    return false;
  }

  async function run(call: DoubleCall): Promise<void> {
    const manner = manners.get(call.to) ?? 'answers';
    await tellStatus(call, 'initiated');
    await tellStatus(call, 'ringing');
    if (manner === 'rings') return;
    if (manner !== 'answers') return finish(call, manner);
    await tellStatus(call, 'in-progress');
    await follow(call, call.form.Twiml ?? '');
  }

  function place(form: Record<string, string>): DoubleCall {
    const call: DoubleCall = {
      sid: `CA${String((lastSid += 1)).padStart(32, '0')}`,
      from: form.From ?? '',
      to: form.To ?? '',
      status: 'queued',
      direction: 'outbound-api',
      createdAt: new Date(),
      form,
      instructions: [],
      dialled: [],
    };
    calls.push(call);
    later(run(call));
    return call;
  }

  function create(form: Record<string, string>, response: ServerResponse): void {
    const fault = faults.create.shift();
    if (!fault) return sendJson(response, 201, describe(place(form)));
    if (fault.kind === 'refused')
      return sendJson(response, fault.status, { code: fault.code, message: 'No.', status: fault.status });
    if (fault.taken) place(form);
    if (fault.kind === 'broken') response.destroy();
    if (fault.kind === 'server_error')
      sendJson(response, 503, { code: 20_503, message: 'Unavailable', status: 503 });
    return undefined;
  }

  const describe = (call: DoubleCall) => ({
    sid: call.sid,
    account_sid: accountSid,
    from: call.from,
    to: call.to,
    status: call.status,
    direction: call.direction,
    date_created: call.createdAt.toUTCString(),
    uri: `/2010-04-01/Accounts/${accountSid}/Calls/${call.sid}.json`,
  });

  function changeCall(call: DoubleCall, form: Record<string, string>): void {
    if (form.Status === 'completed') later(finish(call));
    if (!form.Twiml) return;
    const { stream } = call;
    call.stream = undefined;
    later(stream?.stop() ?? Promise.resolve());
    later(follow(call, form.Twiml));
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const form = Object.fromEntries(new URLSearchParams(await readBody(request)));
    const { method = '' } = request;
    asked.push({ method, path: url.pathname, form });
    const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
    if (request.headers.authorization !== expected)
      return sendJson(response, 401, { code: 20_003, message: 'Authenticate', status: 401 });
    const [, sid] = /\/Accounts\/[^/]+\/Calls(?:\/([^/]+))?\.json$/.exec(url.pathname) ?? [];
    if (sid === undefined && method === 'POST') return create(form, response);
    if (sid === undefined) {
      const { From, To } = Object.fromEntries(url.searchParams);
      const found = calls.filter((call) => call.from === From && call.to === To).toReversed();
      return sendJson(response, 200, { calls: found.map(describe), page: 0, page_size: 50 });
    }
    const call = calls.find((each) => each.sid === sid);
    const failing = method === 'POST' ? faults.update.shift() : undefined;
    if (!call || failing !== undefined)
      return sendJson(response, failing ?? 404, {
        code: 20_404,
        message: 'Not found',
        status: failing ?? 404,
      });
    if (method === 'POST') changeCall(call, form);
    return sendJson(response, 200, describe(call));
  }

  const server = createServer((request, response) => later(serve(request, response)));
  await once(server.listen(0, '127.0.0.1'), 'listening');

  return {
    accountSid,
    authToken,
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    asked,
    manners,
    transfers,
    faults,
    problems,
    post,
    /** Requests that placed a call. */
    creates: () => asked.filter(({ method, path }) => method === 'POST' && path.endsWith('/Calls.json')),
    /** Somebody calls one of the account's numbers, whose webhook is `url`. Resolves with what its answer was. */
    async ring(url: string, { from, to }: { from: string; to: string }) {
      const call: DoubleCall = {
        sid: `CA${String((lastSid += 1)).padStart(32, '0')}`,
        from,
        to,
        status: 'ringing',
        direction: 'inbound',
        createdAt: new Date(),
        form: {},
        instructions: [],
        dialled: [],
      };
      call.form = about(call);
      calls.push(call);
      const answer = await post(url, about(call));
      if (answer.status === 200) later(follow(call, answer.body));
      return { call, answer };
    },
    hangUp: (call: DoubleCall) => finish(call),
    /** The verdict of the answering machine detection of a call that was placed. */
    async detect(call: DoubleCall, answeredBy: string): Promise<void> {
      const { AsyncAmdStatusCallback: url } = call.form;
      if (url) await post(url, { AccountSid: accountSid, CallSid: call.sid, AnsweredBy: answeredBy });
    },
    tellStatus,
    async close(): Promise<void> {
      for (const call of calls) call.stream?.drop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
