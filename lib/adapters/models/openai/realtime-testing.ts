import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { decodeG711, encodeG711 } from '#lib/media/g711.ts';
import { resample } from '#lib/media/resample.ts';
import { littleEndian } from '#lib/media/wav.ts';
import type { RealtimeManner, ScriptedAnswer } from '#lib/ports/realtime-testing.ts';
import { wordsIn } from './transcription-testing.ts';

type Json = Record<string, unknown>;
type Item = Json & { id: string; audioMs?: number };
type Format = { type: string; rate?: number };

/** What the server knows and is to do; a test reads and changes it. */
type State = {
  manner: RealtimeManner;
  /** The next answers, in order; after them "I see." */
  answers: ScriptedAnswer[];
  /** How a fixed line comes out; left out: to the letter. */
  recites: (line: string) => string;
  /** What was heard in the sound of a stretch; left out: a word for each 100 ms that are loud. */
  hears: (loudWords: string) => string;
  /** What a transcription is told to cost; some models are paid by the minute. */
  transcriptionUsage: Record<string, unknown> | undefined;
  /** Sound of a text, 16 kHz; left out: a tone of 50 ms for each character. */
  voice: (text: string) => Int16Array;
  sessions: Json[];
  /** Each `response.create` as it came. */
  asked: Json[];
  /** The items of the last connection, in order. */
  items: Item[];
  /** Errors that the server had to tell: a client that keeps to the protocol causes none. */
  errors: string[];
  events: Json[];
  keys: (string | undefined)[];
  connections: number;
};

const REFUSALS: Partial<Record<RealtimeManner, [number, Json]>> = {
  fails: [503, { message: 'no' }],
  bad_key: [401, { code: 'invalid_api_key', message: 'Incorrect API key provided' }],
  no_credit: [429, { code: 'insufficient_quota', message: 'You exceeded your current quota' }],
};

/** A server that speaks OpenAI's Realtime API on a free port, and minds that its client does. */
export async function startRealtimeServer() {
  const state: State = {
    manner: 'works',
    answers: [],
    recites: (line) => line,
    hears: (words) => words,
    transcriptionUsage: undefined,
    voice: (text) => toneOf(text.length * 50),
    sessions: [],
    asked: [],
    items: [],
    errors: [],
    events: [],
    keys: [],
    connections: 0,
  };
  const sockets = new Set<WebSocket>();
  const server = createServer((_request, response) => response.writeHead(404).end());
  const webSockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    state.keys.push(request.headers.authorization);
    const refusal = REFUSALS[state.manner];
    if (refusal || !request.url?.startsWith('/v1/realtime?model=')) {
      const [status, error] = refusal ?? [404, { message: 'no such path' }];
      const body = JSON.stringify({ error });
      socket.end(
        `HTTP/1.1 ${status} No\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      return;
    }
    webSockets.handleUpgrade(request, socket, head, (connection) => {
      state.connections += 1;
      sockets.add(connection);
      serve(state, connection);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const dropConnections = () => {
    for (const socket of sockets) socket.terminate();
  };
  return {
    state,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    behave(manner: RealtimeManner) {
      state.manner = manner;
      if (REFUSALS[manner]) dropConnections();
    },
    dropConnections,
    close: () =>
      new Promise<void>((resolve) => {
        dropConnections();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Server = {
  state: State;
  send(event: Json): void;
  fail(code: string, message: string, eventId?: unknown): void;
  session: Json;
  active: { isCancelled: boolean; id: string } | undefined;
  isOpen(): boolean;
};

let lastId = 0;
const nextId = (kind: string) => `${kind}_${(lastId += 1)}`;

/** One connection, from `session.created` on. */
function serve(state: State, connection: WebSocket): void {
  state.items = [];
  let audio: Buffer[] = [];
  const server: Server = {
    state,
    send: (event) => connection.send(JSON.stringify({ event_id: nextId('event'), ...event })),
    fail(code, message, eventId) {
      state.errors.push(`${code}: ${message}`);
      const error = { type: 'invalid_request_error', code, message, event_id: eventId ?? null };
      server.send({ type: 'error', error });
    },
    session: {},
    active: undefined,
    isOpen: () => connection.readyState === connection.OPEN,
  };
  server.send({ type: 'session.created', session: {} });
  connection.on('message', (data: Buffer) => {
    const event = JSON.parse(data.toString()) as Json;
    state.events.push(event);
    if (state.manner === 'hangs') return;
    if (event.type === 'session.update') {
      server.session = event.session as Json;
      state.sessions.push(server.session);
      server.send({ type: 'session.updated', session: server.session });
    }
    if (event.type === 'input_audio_buffer.append') audio.push(Buffer.from(String(event.audio), 'base64'));
    if (event.type === 'input_audio_buffer.clear') audio = [];
    if (event.type === 'input_audio_buffer.commit') {
      commit(server, Buffer.concat(audio));
      audio = [];
    }
    if (event.type === 'response.create') void answer(server, event);
    if (event.type === 'response.cancel') cancel(server, event);
    if (String(event.type).startsWith('conversation.item.')) changeItem(server, event);
  });
}

const formatOf = (session: Json, side: 'input' | 'output') =>
  (session.audio as Record<string, { format: Format }>)[side]?.format ?? { type: 'audio/pcm', rate: 24_000 };

function commit(server: Server, bytes: Buffer): void {
  const { state, send } = server;
  const format = formatOf(server.session, 'input');
  const isPcm = format.type === 'audio/pcm';
  const pcm = isPcm ? bytes : Buffer.from(littleEndian(decodeG711('mulaw', bytes)));
  const rateHz = isPcm ? 24_000 : 8_000;
  if (pcm.length < rateHz / 5) return server.fail('input_audio_buffer_commit_empty', 'buffer too small');
  const id = nextId('item');
  const about = { item_id: id, content_index: 0 };
  const transcript = state.hears(wordsIn(pcm, rateHz));
  state.items.push({ id, type: 'message', role: 'user', text: transcript, isAudio: true });
  send({ type: 'input_audio_buffer.committed', item_id: id });
  send({ type: 'conversation.item.added', item: { id, type: 'message', role: 'user' } });
  const of = (what: string) => `conversation.item.input_audio_transcription.${what}`;
  if (state.manner === 'transcribes_nothing') return;
  for (const word of transcript.split(' ')) send({ type: of('delta'), ...about, delta: `${word} ` });
  send({ type: of('completed'), ...about, transcript, usage: state.transcriptionUsage });
}

function changeItem({ state, send, fail }: Server, event: Json): void {
  const index = state.items.findIndex(({ id }) => id === event.item_id);
  const item = state.items[index];
  if (event.type === 'conversation.item.create') {
    const after = event.previous_item_id;
    const at = state.items.findIndex(({ id }) => id === after) + 1;
    const isAtEnd = after === undefined;
    state.items.splice(isAtEnd ? state.items.length : at, 0, event.item as Item);
    return send({ type: 'conversation.item.added', item: event.item });
  }
  if (!item) return fail('item_not_found', `no item ${String(event.item_id)}`, event.event_id);
  if (event.type === 'conversation.item.delete') {
    state.items.splice(index, 1);
    return send({ type: 'conversation.item.deleted', item_id: item.id });
  }
  const endMs = Number(event.audio_end_ms);
  if (endMs > (item.audioMs ?? 0))
    return fail('invalid_value', `Audio content of ${item.audioMs}ms is already shorter`, event.event_id);
  item.audioMs = endMs;
  send({ type: 'conversation.item.truncated', item_id: item.id, audio_end_ms: endMs });
}

function cancel(server: Server, event: Json): void {
  if (!server.active) return server.fail('response_cancel_not_active', 'nothing to cancel', event.event_id);
  server.active.isCancelled = true;
}

async function answer(server: Server, event: Json): Promise<void> {
  const { state, send } = server;
  const asked = event.response as Json & { input?: { content: { text: string }[] }[] };
  const isLine = asked.conversation === 'none';
  if (server.active && !isLine)
    return server.fail('conversation_already_has_active_response', 'wait', event.event_id);
  state.asked.push(event);
  const line = asked.input?.[0]?.content[0]?.text ?? '';
  const script: ScriptedAnswer = isLine
    ? { text: state.recites(line) }
    : (state.answers.shift() ?? { text: 'I see.' });
  const response = { id: nextId('resp'), isCancelled: false };
  if (!isLine) server.active = response;
  const about = { id: response.id, object: 'realtime.response', metadata: asked.metadata };
  send({ type: 'response.created', response: { ...about, status: 'in_progress' } });
  const end = (status: string, details: Json = {}, output: Json[] = []) => {
    if (!isLine) server.active = undefined;
    const usage = { input_tokens: 100, output_tokens: 20, total_tokens: 120 };
    if (server.isOpen())
      send({ type: 'response.done', response: { ...about, status, status_details: details, output, usage } });
  };
  if (script.hangs)
    return send({
      type: 'response.output_item.added',
      response_id: response.id,
      item: { id: nextId('item'), type: 'message' },
    });
  if (script.fails) return end('failed', { type: 'failed', error: { code: script.fails, message: 'no' } });
  const output: Json[] = [];
  if (script.text) {
    const item = await speak(server, response, { text: script.text, isLine, breaksOff: script.breaksOff });
    output.push(item);
    if (script.breaksOff) return;
  }
  if (response.isCancelled)
    return end('cancelled', { type: 'cancelled', reason: 'client_cancelled' }, output);
  if (script.tool) output.push(callTool(server, response.id, script.tool));
  const isCut = script.finish !== undefined;
  end(isCut ? 'incomplete' : 'completed', isCut ? { reason: script.finish } : {}, output);
}

/** Sound and words of an answer, in pieces, as fast as the socket takes them. */
async function speak(
  server: Server,
  response: { id: string; isCancelled: boolean },
  { text, isLine, breaksOff }: { text: string; isLine: boolean; breaksOff: boolean | undefined },
): Promise<Json> {
  const { state, send } = server;
  const item: Item = { id: nextId('item'), type: 'message', role: 'assistant', text, audioMs: 0 };
  const of = { response_id: response.id, item_id: item.id, output_index: 0, content_index: 0 };
  if (!isLine) state.items.push(item);
  send({ type: 'response.output_item.added', ...of, item: { id: item.id, type: 'message' } });
  const format = formatOf(server.session, 'output');
  const isPcm = format.type === 'audio/pcm';
  const rateHz = isPcm ? 24_000 : 8_000;
  const samples = resample(state.voice(text), { fromHz: 16_000, toHz: rateHz });
  const words = text.match(/\S+\s*/g) ?? [];
  const pieces = Math.max(words.length, 1);
  const each = Math.ceil(samples.length / pieces);
  for (let piece = 0; piece < pieces; piece += 1) {
    if (breaksOff && piece >= pieces / 2) break;
    if (response.isCancelled || !server.isOpen()) break;
    send({ type: 'response.output_audio_transcript.delta', ...of, delta: words[piece] });
    const part = samples.subarray(piece * each, (piece + 1) * each);
    const bytes = isPcm ? littleEndian(part) : encodeG711('mulaw', part);
    send({ type: 'response.output_audio.delta', ...of, delta: Buffer.from(bytes).toString('base64') });
    item.audioMs = (item.audioMs ?? 0) + (part.length / rateHz) * 1_000;
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (breaksOff) server.state.events.push({ type: 'test.broke_off' });
  return { id: item.id, type: 'message', role: 'assistant' };
}

function callTool(
  { state, send }: Server,
  responseId: string,
  tool: NonNullable<ScriptedAnswer['tool']>,
): Json {
  const call = {
    id: nextId('item'),
    type: 'function_call',
    call_id: nextId('call'),
    name: tool.name,
    arguments: JSON.stringify(tool.arguments),
  };
  state.items.push(call);
  const of = { response_id: responseId, output_index: 1 };
  send({ type: 'response.output_item.added', ...of, item: { ...call, arguments: '' } });
  send({ ...of, ...call, type: 'response.function_call_arguments.done', item_id: call.id });
  send({ type: 'response.output_item.done', ...of, item: call });
  return call;
}

function toneOf(ms: number): Int16Array {
  return Int16Array.from(
    { length: ms * 16 },
    (_, index) => 6_000 * Math.sin((2 * Math.PI * 440 * index) / 16_000),
  );
}
