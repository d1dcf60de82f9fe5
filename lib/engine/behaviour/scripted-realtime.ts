import { AppError } from '#lib/errors.ts';
import type { TestCallClock } from '#lib/ports/call-clock-testing.ts';
import type { RealtimeEvent, RealtimeModel, RealtimeRequest } from '#lib/ports/realtime.ts';
import type { Transcriber } from '#lib/ports/transcription.ts';
import type { ModelAnswer } from './scripted-model.ts';

/** What a model that hears and speaks was asked and told, in order. */
export type RealtimeNotes = {
  asked: { heard: string | undefined; messages: string[] }[];
  /** How much was heard of answers that were not heard to their end, in milliseconds. */
  truncated: number[];
  told: string[];
  results: Record<string, unknown>[];
  recited: string[];
  renewals: number;
  isClosed: boolean;
  openedWith: Parameters<RealtimeModel['open']>[0] | undefined;
};

export function createRealtimeNotes(): RealtimeNotes {
  return {
    asked: [],
    truncated: [],
    told: [],
    results: [],
    recited: [],
    renewals: 0,
    isClosed: false,
    openedWith: undefined,
  };
}

type Script = Exclude<ModelAnswer, string>;

/** A model that speaks by a script: all of an answer at once unless it says `everyMs`, with the words of each piece before it. */
export function scriptedRealtime(options: {
  clock: TestCallClock;
  transcriber: Transcriber;
  notes: RealtimeNotes;
  soundOf(text: string): Int16Array;
  answer(heard: string, turn: number): ModelAnswer;
  recites(line: string): ModelAnswer;
}): RealtimeModel {
  const { clock, notes, soundOf } = options;
  let turn = 0;

  async function* play(given: ModelAnswer, signal: AbortSignal): AsyncGenerator<RealtimeEvent> {
    const script: Script = typeof given === 'string' ? { text: given } : given;
    if (script.hangs) await clock.sleep(10 * 60_000, signal);
    await clock.sleep(script.afterMs ?? 200, signal);
    if (script.fails) throw failure(script.fails);
    const words = script.text?.match(/\S+\s*/g) ?? [];
    const sound = soundOf(script.text ?? '');
    const each = Math.ceil(sound.length / Math.max(1, words.length));
    for (const [index, delta] of words.entries()) {
      if (script.everyMs) await clock.sleep(script.everyMs, signal);
      yield { type: 'words', delta };
      yield { type: 'sound', samples: sound.subarray(index * each, (index + 1) * each) };
    }
    if (script.breaksOff) throw failure('broke_off');
    if (script.tool)
      yield {
        type: 'tool_call',
        id: `call_${turn}`,
        name: script.tool.name,
        arguments: JSON.stringify(script.tool.arguments),
      };
    yield { type: 'done', ...(script.finish ? { finish: script.finish } : {}) };
  }

  return {
    model: 'realtime',
    voices: [{ id: 'marin', label: 'Marin', language: 'multilingual' }],
    open(openedWith) {
      notes.openedWith = openedWith;
      const stream = options.transcriber.open({ ...openedWith.listening, signal: openedWith.signal });
      return {
        begin: stream.begin,
        respond({ heard, messages, signal }: RealtimeRequest) {
          notes.asked.push({ heard, messages: messages.map(({ role, content }) => `${role}: ${content}`) });
          const events = play(options.answer(heard ?? '', turn++), signal);
          return {
            [Symbol.asyncIterator]: () => events,
            truncate: (heardMs) => void notes.truncated.push(Math.round(heardMs)),
          };
        },
        tell: ({ role, content }) => void notes.told.push(`${role}: ${content}`),
        giveResults: (results) => void notes.results.push(...results.map(({ result }) => result)),
        recite({ text, signal }) {
          notes.recited.push(text);
          return play(options.recites(text), signal);
        },
        renew() {
          notes.renewals += 1;
        },
        close() {
          notes.isClosed = true;
        },
      };
    },
  };
}

function failure(kind: string): AppError {
  return new AppError('PROVIDER_FAILED', 'The realtime model failed.', { details: { kind } });
}
