import { createOpenAiRealtimeModel, REALTIME_VOICES } from '#lib/adapters/models/openai/realtime-model.ts';
import type { Env } from '#lib/env.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { Check } from './doctor-check.ts';
import { SAMPLES_PER_MS } from '#lib/ports/media.ts';
import type { RealtimeEvent, RealtimeModel, RealtimeSession } from '#lib/ports/realtime.ts';

type Server = NonNullable<Env['openai']>;

const LINE = 'Hello, I would like to come on Tuesday.';
/** A filler is said after this. */
const SLOW_SOUND_MS = 1_200;
const FRAME_MS = 20;

const TOOL = {
  name: 'note_day',
  description: 'Notes the day on which the person wants to come.',
  parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
};

/** Asks the model that hears and speaks, where one is configured: lets it say a line, hear that line, and use a tool. */
export function checksOfRealtime(openai: Server, clock: Clock): Check[] {
  const { realtimeModel, transcription } = openai;
  if (!realtimeModel || !transcription) return [];
  const model = createOpenAiRealtimeModel({
    ...openai,
    model: realtimeModel,
    voices: openai.speechVoices.length > 0 ? openai.speechVoices : REALTIME_VOICES,
    transcriptionModel: transcription.model,
  });
  const part = `REALTIME_MODEL ${realtimeModel}`;
  return [
    { part, run: (signal) => converse(model, clock, signal) },
    { part: `${part}, tools`, run: (signal) => useTool(model, signal) },
  ];
}

const openSession = (model: RealtimeModel, instructions: string, signal: AbortSignal): RealtimeSession =>
  model.open({
    instructions,
    tools: [TOOL],
    voiceId: null,
    listening: { hints: [], language: 'en', isMultilingual: false, hasBargeIn: true },
    isTelephone: false,
    signal,
    onUsage: () => undefined,
  });

const request = (heard: string, offersTools: boolean, signal: AbortSignal) => ({
  heard,
  messages: [],
  offersTools,
  signal,
});

async function converse(model: RealtimeModel, clock: Clock, signal: AbortSignal): Promise<string> {
  const session = openSession(model, 'You speak on the phone. Answer in one short sentence.', signal);
  try {
    const line = await listen(session.recite({ text: LINE, language: 'en', signal }), clock);
    if (line.firstSoundMs === undefined) throw new Error('It gave no sound.');
    const isExact = lettersOf(line.words) === lettersOf(LINE);
    const stretch = session.begin(() => undefined);
    for (let at = 0; at < line.samples.length; at += FRAME_MS * SAMPLES_PER_MS)
      stretch.write(line.samples.slice(at, at + FRAME_MS * SAMPLES_PER_MS));
    const askedMs = clock.now().getTime();
    const { text } = await stretch.transcribe(signal);
    const heardMs = clock.now().getTime() - askedMs;
    stretch.end();
    if (text === '')
      throw new Error('It speaks, but gives no words for what it hears: turns and transcripts need them.');
    const answer = await listen(session.respond(request(text, false, signal)), clock);
    if (answer.firstSoundMs === undefined) throw new Error('It answered without a sound.');
    return [
      `It hears and speaks: the words were there after ${heardMs} ms, the first sound of an answer after ${answer.firstSoundMs} ms.`,
      answer.firstSoundMs > SLOW_SOUND_MS
        ? 'That is slow for a call: people hear a filler before each answer.'
        : '',
      isExact
        ? ''
        : 'It did not say a fixed line as it is written: openings will be spoken by the other voice.',
    ]
      .filter((sentence) => sentence !== '')
      .join(' ');
  } finally {
    session.close();
  }
}

async function useTool(model: RealtimeModel, signal: AbortSignal): Promise<string> {
  const session = openSession(model, `Use the tool ${TOOL.name} whenever a person names a day.`, signal);
  try {
    for await (const event of session.respond(request(LINE, true, signal)))
      if (event.type === 'tool_call') return 'It uses tools.';
  } finally {
    session.close();
  }
  throw new Error('It used no tool: agents can neither book, search, transfer nor hang up by themselves.');
}

async function listen(events: AsyncIterable<RealtimeEvent>, clock: Clock) {
  const startedMs = clock.now().getTime();
  const samples: number[] = [];
  let words = '';
  let firstSoundMs: number | undefined;
  for await (const event of events) {
    if (event.type === 'words') words += event.delta;
    if (event.type !== 'sound') continue;
    firstSoundMs ??= clock.now().getTime() - startedMs;
    for (const sample of event.samples) samples.push(sample);
  }
  return { words, firstSoundMs, samples: Int16Array.from(samples) };
}

function lettersOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}
