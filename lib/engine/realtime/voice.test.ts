import { describe, expect, it } from 'vitest';
import { createTestCallClock } from '#lib/ports/call-clock-testing.ts';
import type { RealtimeEvent, RealtimeSession } from '#lib/ports/realtime.ts';
import { createRealtimeVoice, type KeptLines } from './voice.ts';

const MODEL = new Int16Array(16).fill(1);
const OTHER = new Int16Array(16).fill(2);

function open(kept: KeptLines, options: { name?: string; isGivenUp?: boolean } = {}) {
  const asked: string[] = [];
  const session: Pick<RealtimeSession, 'recite'> = {
    async *recite({ text }): AsyncGenerator<RealtimeEvent> {
      asked.push(text);
      yield { type: 'words', delta: text };
      yield { type: 'sound', samples: MODEL };
      yield { type: 'done' };
    },
  };
  const voice = createRealtimeVoice({
    session,
    other: {
      async *synthesize() {
        yield { samples: OTHER };
      },
    },
    clock: createTestCallClock(),
    name: options.name ?? 'marin',
    language: 'en',
    kept,
    isGivenUp: () => options.isGivenUp ?? false,
    signal: new AbortController().signal,
  });
  const say = async (text: string) => {
    const chunks: Int16Array[] = [];
    for await (const { samples } of voice.synthesize({ text, voiceId: null, language: null }))
      chunks.push(samples);
    return chunks;
  };
  return { voice, asked, say };
}

describe('lines in the voice of a model', () => {
  it('of a call before are not asked for again, also where the model is gone', async () => {
    const kept: KeptLines = new Map();
    await open(kept).voice.prepare(['One moment.']);
    const next = open(kept);
    expect(await next.say('One moment.')).toEqual([MODEL]);
    expect(next.asked).toEqual([]);
    expect(await open(kept, { isGivenUp: true }).say('One moment.')).toEqual([MODEL]);
  });

  it('of another voice are asked for', async () => {
    const kept: KeptLines = new Map();
    await open(kept).voice.prepare(['One moment.']);
    const other = open(kept, { name: 'cedar' });
    await other.say('One moment.');
    expect(other.asked).toEqual(['One moment.']);
  });

  it('that are used on each call outlast those that are not', async () => {
    const kept: KeptLines = new Map();
    for (let call = 0; call < 300; call += 1)
      await open(kept).voice.prepare(['One moment.', `Hello number ${call}.`]);
    expect(kept.size).toBe(100);
    expect((await open(kept).say('One moment.'))[0]).toBe(MODEL);
    const again = open(kept);
    await again.voice.prepare(['One moment.', 'Hello number 0.']);
    expect(again.asked).toEqual(['Hello number 0.']);
  });

  it('are the other voice’s where the model is gone and did not say them before', async () => {
    expect(await open(new Map(), { isGivenUp: true }).say('Goodbye.')).toEqual([OTHER]);
  });
});
