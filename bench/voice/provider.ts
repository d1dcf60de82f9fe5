/** A server that speaks a provider's protocol (chat, transcription, speech) and behaves as a script says, failures included. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { resample } from '#lib/media/resample.ts';
import { littleEndian } from '#lib/media/wav.ts';

export type ChatAnswer =
  | string
  | {
      text?: string;
      /** Before the first word, and between two of them. */
      afterMs?: number;
      everyMs?: number;
      hangs?: true;
      /** Nothing follows the text: the connection stays open, or is cut. */
      ends?: 'hangs' | 'is_cut';
      tool?: { name: string; arguments: Record<string, unknown> };
      finish?: 'length' | 'content_filter';
      refused?: { status: number; code: string; headers?: Record<string, string> };
      /** Sent as it is. */
      raw?: string;
    };
export type TranscriptionAnswer = {
  afterMs?: number;
  text?: string;
  hangs?: true;
  raw?: string;
  status?: number;
};
export type SpeechAnswer = {
  afterMs?: number;
  hangs?: true;
  raw?: Buffer;
  /** The sound is really of this rate, though it is told to be of 24 kHz. */
  rateHz?: number;
  /** Only so much of it is sent. */
  part?: number;
};

export type Script = {
  /** The n-th answer (from 0) to what was heard last. */
  chat(heard: string, turn: number): ChatAnswer;
  fallback?: (heard: string, turn: number) => ChatAnswer;
  transcription?: (question: number) => TranscriptionAnswer;
  /** Given where the agent's voice is the server's own. */
  speech?: (count: number) => SpeechAnswer;
};

export type Provider = Awaited<ReturnType<typeof startProvider>>;

/** `voice` makes the sound of the server's own voice, at 16 kHz. */
export async function startProvider(script: Script, voice: (text: string) => Promise<Int16Array>) {
  const state = { words: '' };
  const counts = { chat: 0, fallback: 0, transcription: 0, speech: 0 };
  const leaving = new AbortController();

  async function chat(body: ChatRequest, response: ServerResponse): Promise<void> {
    const heard = body.messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const isFallback = body.model === 'fallback';
    const given = isFallback
      ? (script.fallback?.(heard, counts.fallback++) ?? 'I see.')
      : script.chat(heard, counts.chat++);
    const answer = typeof given === 'string' ? { text: given } : given;
    if (answer.hangs) return;
    await delay(answer.afterMs ?? 0, undefined, { signal: leaving.signal });
    const { refused } = answer;
    if (refused) {
      response.writeHead(refused.status, { 'content-type': 'application/json', ...refused.headers });
      response.end(JSON.stringify({ error: { message: 'Refused by the script', code: refused.code } }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (answer.raw !== undefined) return void response.end(answer.raw);
    const send = (choice: unknown) =>
      response.write(`data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [choice] })}\n\n`);
    for (const content of answer.text?.match(/\s*\S+\s*/g) ?? []) {
      if (answer.everyMs) await delay(answer.everyMs, undefined, { signal: leaving.signal });
      send({ index: 0, delta: { content }, finish_reason: null });
    }
    if (answer.ends === 'hangs') return;
    if (answer.ends === 'is_cut') {
      // What was said until then has left.
      await delay(50);
      return void response.destroy();
    }
    if (answer.tool) {
      const call = { name: answer.tool.name, arguments: JSON.stringify(answer.tool.arguments) };
      const called = { index: 0, id: `call_${counts.chat}`, type: 'function', function: call };
      send({ index: 0, delta: { tool_calls: [called] }, finish_reason: null });
    }
    send({ index: 0, delta: {}, finish_reason: answer.tool ? 'tool_calls' : (answer.finish ?? 'stop') });
    response.end('data: [DONE]\n\n');
  }

  async function transcribe(response: ServerResponse): Promise<void> {
    const answer = script.transcription?.(counts.transcription++) ?? {};
    if (answer.hangs) return;
    await delay(answer.afterMs ?? 0, undefined, { signal: leaving.signal });
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
    response.end(answer.raw ?? JSON.stringify({ text: answer.text ?? state.words }));
  }

  async function speak({ input }: { input: string }, response: ServerResponse): Promise<void> {
    const answer = script.speech?.(counts.speech++) ?? {};
    if (answer.hangs) return;
    await delay(answer.afterMs ?? 0, undefined, { signal: leaving.signal });
    response.writeHead(200, { 'content-type': 'audio/pcm' });
    if (answer.raw) return void response.end(answer.raw);
    const { rateHz = 24_000, part = 1 } = answer;
    const bytes = littleEndian(resample(await voice(input), { fromHz: 16_000, toHz: rateHz }));
    response.end(bytes.subarray(0, Math.floor(bytes.length * part)));
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part);
    const body = Buffer.concat(parts).toString('latin1');
    const { url = '' } = request;
    if (url.endsWith('/chat/completions')) return chat(JSON.parse(body) as ChatRequest, response);
    if (url.endsWith('/audio/transcriptions')) return transcribe(response);
    if (url.endsWith('/audio/speech') && script.speech)
      return speak(JSON.parse(body) as { input: string }, response);
    response.writeHead(404).end();
  }

  const server = createServer(
    (request, response) => void serve(request, response).catch(() => response.destroy()),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    state,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    async close(): Promise<void> {
      leaving.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type ChatRequest = { model: string; messages: { role: string; content: string }[] };
