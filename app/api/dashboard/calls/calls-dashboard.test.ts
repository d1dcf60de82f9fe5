import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET as getCall } from '#app/api/dashboard/calls/[callId]/route.ts';
import { GET as streamCall } from '#app/api/dashboard/calls/[callId]/stream/route.ts';
import { GET as getWaveform } from '#app/api/dashboard/calls/[callId]/waveform/route.ts';
import { GET as exportCalls } from '#app/api/dashboard/calls/export/route.ts';
import { POST as simulateInbound } from '#app/api/dashboard/calls/inbound/route.ts';
import { GET as listCalls } from '#app/api/dashboard/calls/route.ts';
import { GET as streamCalls } from '#app/api/dashboard/calls/stream/route.ts';
import { GET as getRecording } from '#app/api/recordings/[id]/route.ts';
import { addSignedInMember, type SignedInMember } from '#lib/auth/testing.ts';
import { endedCall, seedLine, type SeededLine, setSummary } from '#lib/features/calls/testing.ts';
import type { CallDetail, CallEvent, CallListItem } from '#lib/features/conversations/contract.ts';
import type { RouteHandler } from '#lib/http/route.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';

let runtime: TestRuntime;
let line: SeededLine;
let member: SignedInMember;
let stranger: SignedInMember;
let callId: string;

async function send(
  handler: RouteHandler,
  options: {
    as?: SignedInMember;
    query?: string;
    params?: Record<string, string>;
    body?: unknown;
    headers?: Record<string, string>;
    signal?: AbortSignal;
  } = {},
): Promise<Response> {
  const as = options.as ?? member;
  const request = new Request(`http://localhost:3000/api/dashboard/calls?${options.query ?? ''}`, {
    method: options.body === undefined ? 'GET' : 'POST',
    headers: {
      cookie: as.cookie,
      'x-workspace-id': as.workspaceId,
      'sec-fetch-site': 'same-origin',
      origin: 'http://localhost:3000',
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    ...(options.signal ? { signal: options.signal } : {}),
  });
  return handler(request, { params: Promise.resolve(options.params ?? {}) });
}

async function place(to: string): Promise<string> {
  return (
    await runtime.calls.queueOutbound(line.actor, {
      from: line.number,
      to: parsePhoneNumber(to),
      variables: { name: 'Ann' },
    })
  ).conversationId;
}

const ended = (id: string) => endedCall(runtime, line.actor, id);

/** Reads server-sent events until the stream ends or `enough`. */
async function readEvents(
  response: Response,
  enough: (events: CallEvent[]) => boolean = () => false,
): Promise<CallEvent[]> {
  const events: CallEvent[] = [];
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    text += part.value;
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const data = message.startsWith('event: words') ? undefined : /^data: (.*)$/m.exec(message)?.[1];
      if (data !== undefined) events.push(JSON.parse(data) as CallEvent);
    }
    if (enough(events)) break;
  }
  await reader?.cancel();
  return events;
}

beforeAll(async () => {
  runtime = await startTestRuntime({ worker: true });
  line = await seedLine(runtime.db, 'dash', { workspace: { webhookUrl: null } });
  await seedLine(runtime.db, 'other');
  member = await addSignedInMember(runtime, 'ws_dash', 'member');
  stranger = await addSignedInMember(runtime, 'ws_other', 'owner');
  callId = await place('+15550109901');
  await ended(callId);
});
afterAll(() => runtime.close());

describe('the list of calls', { tags: ['postgres'] }, () => {
  const list = async (query = '') =>
    (
      (await (await send(listCalls, { query })).json()) as {
        data: { calls: CallListItem[]; totalCount: number; liveCount: number };
      }
    ).data;

  it('shows calls with their agent and counts all that match', async () => {
    const { calls: items, totalCount } = await list('limit=1');
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ agentName: 'Agent dash', status: 'ended' });
    expect(totalCount).toBeGreaterThanOrEqual(1);
  });

  it('filters by disposition, tag, status and words, literally', async () => {
    const ids = async (query: string) => (await list(query)).calls.map((item) => item.id);
    expect(await ids('disposition=APPOINTMENT_BOOKED')).toEqual([callId]);
    expect(await ids('tag=appointment_booked')).toEqual([callId]);
    expect(await ids('tag=voicemail')).toEqual([]);
    expect(await ids('status=live')).toEqual([]);
    expect(await ids('search=dentist+9901')).toEqual([callId]);
    expect(await ids('search=(555)+010-9901')).toEqual([callId]);
    expect(await ids('search=%25')).toEqual([]);
    expect(await ids('search=zebra')).toEqual([]);
  });
});

describe('one call', () => {
  it(
    'carries turns, tools, timeline, cost and a relative recording link',
    { tags: ['postgres'] },
    async () => {
      const response = await send(getCall, { params: { callId } });
      const { data } = (await response.json()) as { data: CallDetail };
      expect(data.turns.length).toBeGreaterThan(2);
      expect(data.toolUses.map((use) => use.name)).toContain('book_appointment');
      const states = data.events
        .filter((event) => /^call\.(?!ended)/.test(event.type))
        .map((event) => event.type);
      expect(states).toEqual([
        'call.queued',
        'call.dialing',
        'call.ringing',
        'call.in_progress',
        'call.wrapping_up',
      ]);
      expect(data).toMatchObject({ promptTitle: 'Reminder', agentState: 'active' });
      expect(data.appointment?.spoken).toMatch(/./);
      expect(data.recordingUrl).toMatch(/^\/api\/recordings\//);
      const { carrierCents = 0, languageCents = 0, speechCents = 0 } = data.costBreakdown ?? {};
      expect(carrierCents + languageCents + speechCents).toBeCloseTo(data.cost);
    },
  );

  it("is 403 for another workspace's member and 404 when there is none", async () => {
    expect((await send(getCall, { params: { callId }, as: stranger })).status).toBe(403);
    expect((await send(getCall, { params: { callId: 'cnv_none' } })).status).toBe(404);
    expect((await send(streamCall, { params: { callId }, as: stranger })).status).toBe(403);
    expect((await send(getWaveform, { params: { callId }, as: stranger })).status).toBe(403);
  });

  it('has the loudness of both speakers over the whole recording', async () => {
    const read = async () =>
      (await (await send(getWaveform, { params: { callId } })).json()) as {
        data: { durationMs: number; bucketMs: number; agent: number[]; human: number[] };
      };
    const { data } = await read();
    expect(data.agent).toHaveLength(data.human.length);
    expect(Math.abs(data.agent.length * data.bucketMs - data.durationMs)).toBeLessThanOrEqual(data.bucketMs);
    expect(Math.max(...data.agent)).toBeGreaterThan(0.05);
    expect(Math.max(...data.human)).toBeGreaterThan(0.05);
    expect(Math.max(...data.agent, ...data.human)).toBeLessThanOrEqual(1);
    expect((await read()).data).toEqual(data);
  });
});

describe('live views', () => {
  it(
    'follow one call from its first event to its end, and resume after the last one seen',
    { tags: ['postgres'] },
    async () => {
      const id = await place('+15550109900');
      const response = await send(streamCall, { params: { callId: id } });
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      const events = await readEvents(response);
      expect(events[0]?.type).toBe('call.queued');
      expect(events.at(-1)?.type).toBe('call.ended');
      expect(events.filter((event) => event.type === 'turn').length).toBeGreaterThan(1);
      expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
      const seen = events[2]?.id ?? 0;
      const rest = await readEvents(
        await send(streamCall, { params: { callId: id }, headers: { 'last-event-id': String(seen) } }),
      );
      expect(rest.filter((event) => !event.type.startsWith('webhook'))).toEqual(events.slice(3));
    },
  );

  it("follow the workspace's calls from now on, states only", async () => {
    const response = await send(streamCalls);
    const reading = readEvents(response, (events) => events.some((event) => event.type === 'call.ended'));
    const id = await place('+15550109907');
    const events = await reading;
    expect(events.every((event) => event.callId === id && event.type.startsWith('call.'))).toBe(true);
    expect(events.map((event) => event.type)).toContain('call.dialing');
  });

  it('end when the client goes away', async () => {
    const client = new AbortController();
    const response = await send(streamCalls, { signal: client.signal });
    const reading = readEvents(response);
    client.abort();
    await expect(reading).resolves.toEqual([]);
  });
});

describe('the audit log', () => {
  it('tells who placed a call by hand, and once an hour who fetched a recording', async () => {
    const placed = await send(simulateInbound, { body: { to: line.number, from: '+15550109900' } });
    const { callId: id } = ((await placed.json()) as { data: { callId: string } }).data;
    await ended(id);
    const detail = (await (await send(getCall, { params: { callId: id } })).json()) as {
      data: { recordingUrl: string };
    };
    const link = new URL(detail.data.recordingUrl, 'http://localhost:3000');
    const fetchRecording = (url: URL) => getRecording(new Request(url), { params: Promise.resolve({ id }) });
    for (let count = 0; count < 3; count++) expect((await fetchRecording(link)).status).toBe(200);
    const anonymous = new URL(link);
    anonymous.searchParams.delete('viewer');
    expect((await fetchRecording(anonymous)).status).toBe(403);
    const { events } = await runtime.audit.list(line.actor, { limit: 100, targetId: id });
    expect(events.map((event) => [event.actorKind, event.action])).toEqual([
      ['user', 'recording.fetched'],
      ['user', 'call.placed'],
    ]);
  });
});

describe('simulated inbound calls', () => {
  it.each(['06641234501', '+06641234501', '555 010 9900'])(
    'take no %s: no country code begins so',
    async (from) => {
      expect((await send(simulateInbound, { body: { to: line.number, from } })).status).toBe(400);
    },
  );

  it('let a person call a number of the workspace', async () => {
    const response = await send(simulateInbound, { body: { to: line.number, from: '+15550109900' } });
    expect(response.status).toBe(200);
    const { data } = (await response.json()) as { data: { callId: string } };
    await ended(data.callId);
    const detail = await runtime.conversations.getCall(line.actor, data.callId);
    expect(detail).toMatchObject({
      direction: 'INBOUND',
      humanPhoneNumber: '+15550109900',
      agentPhoneNumber: line.number,
      promptTitle: null,
      disposition: 'COMPLETED',
    });
    expect(detail.turns[0]?.speaker).toBe('agent');
  });

  it('are not for viewers, nor for numbers of others', async () => {
    const viewer = await addSignedInMember(runtime, 'ws_dash', 'viewer');
    const body = { to: line.number, from: '+15550109900' };
    expect((await send(simulateInbound, { as: viewer, body })).status).toBe(403);
    expect((await send(simulateInbound, { as: stranger, body })).status).toBe(404);
  });
});

describe('the export', () => {
  it('tells what the team made of each: reviewed, whose, how many stars, and every note', async () => {
    await runtime.reviews.update(line.actor, callId, { isReviewed: true });
    await runtime.notes.add(line.actor, callId, 'Called back, all is well.');
    const text = await (await send(exportCalls, { query: 'review=done' })).text();
    expect(text).toContain('call,yes,,,"test: Called back, all is well."');
  });

  it('holds the calls that match, and no cell that a spreadsheet would run', async () => {
    await setSummary(runtime.db, callId, '=HYPERLINK("http://x")');
    const response = await send(exportCalls, { query: 'disposition=APPOINTMENT_BOOKED' });
    expect(response.headers.get('content-type')).toContain('text/csv');
    const [exported] = (await runtime.audit.list(line.actor, { limit: 1 })).events;
    expect(exported).toMatchObject({
      action: 'export.conversations',
      data: { disposition: 'APPOINTMENT_BOOKED' },
    });
    const text = await response.text();
    expect(text.startsWith('id,status,direction,')).toBe(true);
    expect(text.split('\r\n').filter((row) => row.startsWith('cnv_'))).toHaveLength(1);
    expect(text).toContain(`"'=HYPERLINK`);
    expect(text).toMatch(/,\+15550109901,/);
    expect(text.split('\r\n')[0]).toMatch(/,channel,reviewed,assignee,rating,notes$/);
    expect(text).not.toMatch(/(^|,)"?(?:[=@]|[+-](?!\d+,))/m);
  });
});
