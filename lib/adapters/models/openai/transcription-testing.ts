import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { TranscriptionProvider } from '#lib/ports/transcription-conformance.ts';

type Manner = Parameters<TranscriptionProvider['behave']>[0];
type Asked = { fields: Record<string, string>; wavBytes: number };

/**
 * A server that speaks OpenAI's `audio/transcriptions` and the Realtime API's transcription sessions on a free port. It
 * "hears" a word for each 100 ms of sound.
 */
export async function startTranscriptionServer() {
  const state = {
    manner: 'works' as Manner,
    /** Of single models, before that of all. */
    manners: {} as Record<string, Manner>,
    /** Fields of each request, and the configuration of each session. */
    asked: [] as Asked[],
    sessions: [] as Record<string, unknown>[],
    keys: [] as (string | undefined)[],
    connections: 0,
    /** What the server does not have: it answers 404. */
    lacks: [] as ('realtime' | 'batch')[],
    /** What the model adds to the words it heard, e.g. notes about noises. */
    decorate: (text: string) => text,
    language: undefined as string | undefined,
    /** It knows no `verbose_json`, as some compatible servers. */
    refusesTimes: false,
    /** Why a session is not taken. */
    refusal: undefined as string | undefined,
    /** Sessions take what is committed, and its words wait here; undefined: they come at once. */
    waiting: undefined as (() => void)[] | undefined,
  };
  const sockets = new Set<WebSocket>();
  const server = createServer((request, response) => {
    state.keys.push(request.headers.authorization);
    const isKnown = request.url?.endsWith('/audio/transcriptions') && !state.lacks.includes('batch');
    if (!isKnown) return refuse(response, 404);
    void readBody(request).then((body) => answerRequest(state, body, response));
  });
  const webSockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    state.keys.push(request.headers.authorization);
    if (state.lacks.includes('realtime')) return void socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
    if (state.manner === 'fails' || request.url !== '/v1/realtime?intent=transcription') {
      socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
      return;
    }
    webSockets.handleUpgrade(request, socket, head, (connection) => {
      state.connections += 1;
      sockets.add(connection);
      serveSession(state, connection);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    state,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    behave(manner: Manner) {
      state.manner = manner;
      if (manner === 'fails') for (const socket of sockets) socket.terminate();
    },
    dropConnections() {
      for (const socket of sockets) socket.terminate();
    },
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type State = Awaited<ReturnType<typeof startTranscriptionServer>>['state'];

function answerRequest(state: State, body: Buffer, response: ServerResponse): void {
  const { fields, wav } = readForm(body);
  state.asked.push({ fields, wavBytes: wav.length });
  const manner = state.manners[fields.model ?? ''] ?? state.manner;
  if (manner === 'fails') return refuse(response, 503);
  if (manner === 'hangs') return;
  const text = state.decorate(wordsIn(wav.subarray(44), 16_000));
  const isTimed = fields.response_format === 'verbose_json';
  if (isTimed && state.refusesTimes) return refuse(response, 400);
  const languages = state.language ? { languages: [{ code: state.language }] } : {};
  if (isTimed) {
    const words = text.split(' ').map((word, index) => ({ word, start: index / 10, end: (index + 1) / 10 }));
    return void response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ text, language: 'english', words }));
  }
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ text, ...languages }));
}

/** One session: audio is appended, each commit becomes an item with deltas and, at the end, its words. */
function serveSession(state: State, connection: WebSocket): void {
  let audio: Buffer[] = [];
  let items = 0;
  const send = (event: Record<string, unknown>) => connection.send(JSON.stringify(event));
  send({ type: 'session.created' });
  connection.on('message', (data: Buffer) => {
    const event = JSON.parse(data.toString()) as Record<string, unknown>;
    if (state.manner === 'hangs') return;
    if (state.refusal)
      return send({ type: 'error', error: { code: 'invalid_value', message: state.refusal } });
    if (event.type === 'session.update') {
      state.sessions.push(event.session as Record<string, unknown>);
      send({ type: 'session.updated' });
    }
    if (event.type === 'input_audio_buffer.append') audio.push(Buffer.from(String(event.audio), 'base64'));
    if (event.type === 'input_audio_buffer.clear') audio = [];
    if (event.type !== 'input_audio_buffer.commit') return;
    const pcm = Buffer.concat(audio);
    audio = [];
    if (pcm.length < 4_800) {
      send({
        type: 'error',
        error: { code: 'input_audio_buffer_commit_empty', message: 'buffer too small' },
      });
      return;
    }
    items += 1;
    const about = { item_id: `item_${items}`, content_index: 0 };
    const text = state.decorate(wordsIn(pcm, 24_000));
    const languages = state.language ? { languages: [{ code: state.language }] } : {};
    const of = (what: string) => `conversation.item.input_audio_transcription.${what}`;
    send({ type: 'input_audio_buffer.committed', ...about });
    const tell = () => {
      for (const word of text.split(' ')) send({ type: of('delta'), ...about, delta: `${word} ` });
      send({ type: of('completed'), ...about, transcript: text, ...languages });
    };
    if (state.waiting) state.waiting.push(tell);
    else tell();
  });
}

/** A word for each 100 ms that are loud. */
export function wordsIn(pcm: Buffer, rateHz: number): string {
  let loud = 0;
  for (let at = 0; at + 1 < pcm.length; at += 2) if (Math.abs(pcm.readInt16LE(at)) > 1_000) loud += 1;
  return Array.from({ length: Math.round((loud / rateHz) * 10) }, () => 'word').join(' ');
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Fields and the file of a multipart body; lists come as `name[]`. */
function readForm(body: Buffer): { fields: Record<string, string>; wav: Buffer } {
  const boundary = body.subarray(0, body.indexOf('\r\n'));
  const fields: Record<string, string> = {};
  let wav: Buffer = Buffer.alloc(0);
  for (let at = boundary.length + 2; at < body.length;) {
    const next = body.indexOf(boundary, at);
    if (next < 0) break;
    const headEnd = body.indexOf('\r\n\r\n', at);
    const head = body.subarray(at, headEnd).toString();
    const value = body.subarray(headEnd + 4, next - 2);
    const name = /name="([^"]*)"/.exec(head)?.[1] ?? '';
    if (head.includes('filename=')) wav = value;
    else fields[name] = fields[name] ? `${fields[name]},${value.toString()}` : value.toString();
    at = next + boundary.length + 2;
  }
  return { fields, wav };
}

function refuse(response: ServerResponse, status: number): void {
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ error: { message: 'no' } }));
}
