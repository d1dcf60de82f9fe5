import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeRealtimeModel } from '#lib/ports/realtime-conformance.ts';
import type { RealtimeProvider } from '#lib/ports/realtime-testing.ts';
import { describeTranscriber, type TranscriptionProvider } from '#lib/ports/transcription-conformance.ts';
import type { RealtimeModel } from '#lib/ports/realtime.ts';
import { createOpenAiRealtimeModel, REALTIME_VOICES } from './realtime-model.ts';
import { startRealtimeServer } from './realtime-testing.ts';
import { tone } from '#lib/media/testing.ts';

type Server = Awaited<ReturnType<typeof startRealtimeServer>>;

const createModel = (server: Server) =>
  createOpenAiRealtimeModel({
    apiKey: 'sk-test',
    baseUrl: server.baseUrl,
    model: 'gpt-realtime-2.1',
    voices: REALTIME_VOICES,
    transcriptionModel: 'gpt-live-transcribe',
  });

describeRealtimeModel('the Realtime API', async (): Promise<RealtimeProvider> => {
  const server = await startRealtimeServer();
  const { state } = server;
  return {
    model: createModel(server),
    behave: server.behave,
    answer: (...answers) => void state.answers.push(...answers),
    recites(saying) {
      state.recites = saying;
    },
    dropConnections: server.dropConnections,
    conversation: () => state.items.map(describeItem),
    told: () => JSON.stringify(state.sessions.at(-1)),
    errors: () => state.errors,
    close: server.close,
  };
});

function describeItem(item: Record<string, unknown>): string {
  if (item.type === 'function_call') return `call: ${String(item.name)} ${String(item.arguments)}`;
  if (item.type === 'function_call_output') return `tool: ${String(item.output)}`;
  const content = item.content as { text: string }[] | undefined;
  const text = content?.[0]?.text ?? String(item.text);
  const length = typeof item.audioMs === 'number' ? ` (${Math.round(item.audioMs)} ms)` : '';
  return `${String(item.role)}: ${text}${length}`;
}

describeTranscriber('a session of speech to speech', async (): Promise<TranscriptionProvider> => {
  const server = await startRealtimeServer();
  return {
    transcriber: {
      model: 'gpt-live-transcribe',
      open: ({ signal, ...listening }) => openSession(server, { signal, listening }),
    },
    behave: server.behave,
    told: () => JSON.stringify(server.state.sessions.at(-1)),
    close: server.close,
  };
});

let server: Server;
let call: AbortController;
beforeEach(async () => {
  server = await startRealtimeServer();
  call = new AbortController();
});
afterEach(async () => {
  call.abort(new Error('over'));
  await server.close();
});

function openSession(at: Server, changes: Partial<Parameters<RealtimeModel['open']>[0]> = {}) {
  return createModel(at).open({
    instructions: 'You are Mia.',
    tools: [{ name: 'note_day', description: 'Notes a day.', parameters: { type: 'object' } }],
    voiceId: null,
    listening: { hints: [], language: null, isMultilingual: false, hasBargeIn: true },
    isTelephone: false,
    signal: call.signal,
    onUsage: () => undefined,
    ...changes,
  });
}

const request = (heard: string) => ({
  heard,
  messages: [],
  offersTools: true,
  signal: new AbortController().signal,
});

async function wordsOf(session: ReturnType<typeof openSession>, heard: string): Promise<string> {
  let words = '';
  for await (const event of session.respond(request(heard))) if (event.type === 'words') words += event.delta;
  return words;
}

describe('a session of speech to speech', () => {
  it('is one of 24 kHz whose turns are ours, with tools and a transcription', async () => {
    await wordsOf(openSession(server), 'Hello');
    const format = { type: 'audio/pcm', rate: 24_000 };
    expect(server.state.sessions).toEqual([
      {
        type: 'realtime',
        instructions: 'You are Mia.',
        output_modalities: ['audio'],
        max_output_tokens: 2_400,
        audio: {
          input: { format, transcription: { model: 'gpt-live-transcribe' }, turn_detection: null },
          output: { format, voice: 'marin' },
        },
        tools: [
          {
            type: 'function',
            name: 'note_day',
            description: 'Notes a day.',
            parameters: { type: 'object' },
          },
        ],
        tool_choice: 'auto',
      },
    ]);
    expect(server.state.keys).toEqual(['Bearer sk-test']);
  });

  it('is one of µ-law where the other side is a telephone', async () => {
    await wordsOf(openSession(server, { isTelephone: true }), 'Hello');
    const format = { type: 'audio/pcmu' };
    expect(server.state.sessions[0]).toMatchObject({ audio: { input: { format }, output: { format } } });
  });

  it('asks for nothing while a response that was given up is not over', async () => {
    const session = openSession(server);
    server.state.answers.push({ text: 'A first answer of many words, none of which is wanted.' });
    const cut = new AbortController();
    const first = session.respond({ ...request('Hello'), signal: cut.signal });
    await first[Symbol.asyncIterator]().next();
    cut.abort(new Error('cut'));
    expect(await wordsOf(session, 'Hello again')).toBe('I see.');
    expect(server.state.errors).toEqual([]);
    expect(server.state.events.filter(({ type }) => type === 'response.cancel')).toHaveLength(1);
  });

  it('tells why it cannot be had again after it was lost', async () => {
    const session = openSession(server);
    await wordsOf(session, 'Hello');
    server.behave('bad_key');
    await expect(wordsOf(session, 'Hello?')).rejects.toThrow(/connection to the realtime model was lost/);
    await expect(wordsOf(session, 'Hello again')).rejects.toThrow(/401 invalid_api_key: Incorrect API key/);
  });

  it.each([
    [
      { type: 'tokens', input_tokens: 14, output_tokens: 5, total_tokens: 19 },
      [{ inputTokens: 14, outputTokens: 5 }],
    ],
    [{ type: 'duration', seconds: 1.2 }, []],
  ])('counts what its transcription cost, where that is told in tokens: %j', async (told, counted) => {
    server.state.transcriptionUsage = told;
    const usage: unknown[] = [];
    const session = openSession(server, { onUsage: (used) => usage.push(used) });
    const stretch = session.begin(() => undefined);
    stretch.write(tone(500, { hz: 300, db: -12 }));
    await stretch.transcribe(call.signal);
    stretch.end();
    expect(usage).toEqual(counted);
  });
});
