import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CallRecorder, createCallRecorder, type Recording } from './call-recorder.ts';
import { truncateAtPlayout } from '#lib/media/heard-text.ts';
import { renderTranscript } from './transcript.ts';

const tone = (ms: number, level: number) => new Int16Array(ms * 16).fill(level);

const fail = (error: unknown) => {
  throw error;
};

/** The recording, which there has to be. */
async function finish(recorder: CallRecorder, durationMs: number): Promise<Recording> {
  const recording = await recorder.finish(durationMs);
  if (!recording) throw new Error('no recording');
  return recording;
}

async function read(recording: Recording): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of recording.body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const sampleAt = (wav: Buffer, side: 'agent' | 'human', ms: number) =>
  wav.readInt16LE(44 + ms * 64 + (side === 'human' ? 2 : 0));

describe('the recorder', () => {
  it('puts each side on its channel, at its time', async () => {
    const recorder = createCallRecorder(fail);
    recorder.write('human', tone(100, 200), 1_000);
    recorder.write('agent', tone(100, 100), 0);
    recorder.write('agent', tone(100, 300), 1_050);
    const recording = await finish(recorder, 2_500);
    const wav = await read(recording);
    expect(wav.length).toBe(recording.sizeBytes);
    expect(wav.length).toBe(44 + 2_500 * 64);
    expect(wav.readUInt32LE(40)).toBe(2_500 * 64);
    expect([50, 500, 1_060, 1_160, 2_400].map((ms) => sampleAt(wav, 'agent', ms))).toEqual([
      100, 0, 300, 0, 0,
    ]);
    expect([50, 1_060, 1_160].map((ms) => sampleAt(wav, 'human', ms))).toEqual([0, 200, 0]);
  });

  it('keeps nothing past the end of the call', async () => {
    const recorder = createCallRecorder(fail);
    recorder.write('agent', tone(250, 100), 0);
    recorder.write('human', tone(1_000, 200), 500);
    const wav = await read(await finish(recorder, 800));
    expect(sampleAt(wav, 'agent', 249)).toBe(100);
    expect(sampleAt(wav, 'agent', 251)).toBe(0);
    expect(sampleAt(wav, 'human', 799)).toBe(200);
    expect(wav.length).toBe(44 + 800 * 64);
  });

  it('records an hour without keeping it in memory', async () => {
    const recorder = createCallRecorder(fail);
    recorder.write('agent', tone(1_000, 7), 3_599_000);
    const recording = await finish(recorder, 3_600_000);
    let sizeBytes = 0;
    let largest = 0;
    for await (const chunk of recording.body) {
      sizeBytes += chunk.byteLength;
      largest = Math.max(largest, chunk.byteLength);
    }
    expect(sizeBytes).toBe(recording.sizeBytes);
    expect(largest).toBeLessThanOrEqual(64_000);
  });

  it('frees its files when nobody reads to the end, and tells what could not be written', async () => {
    const failures: unknown[] = [];
    const recorder = createCallRecorder((error) => failures.push(error));
    for await (const _ of (await finish(recorder, 5_000)).body) break;
    recorder.write('agent', tone(10, 1), 0);
    recorder.write('agent', tone(10, 1), 0);
    expect(await recorder.finish(100)).toBeNull();
    expect(failures).toMatchObject([{ message: 'file closed' }]);
  });

  it('writes pieces of 20 ms half a second at a time, each side where it belongs', async () => {
    const recorder = createCallRecorder(fail);
    for (let piece = 0; piece < 60; piece += 1) {
      recorder.write('human', tone(20, piece + 1), piece * 20);
      // The agent is silent for a second in the middle.
      if (piece < 5 || piece >= 55) recorder.write('agent', tone(20, 100 + piece), piece * 20);
    }
    const wav = await read(await finish(recorder, 1_300));
    for (let piece = 0; piece < 60; piece += 1) {
      expect(sampleAt(wav, 'human', piece * 20 + 10)).toBe(piece + 1);
      expect(sampleAt(wav, 'agent', piece * 20 + 10)).toBe(piece < 5 || piece >= 55 ? 100 + piece : 0);
    }
    expect(sampleAt(wav, 'human', 1_250)).toBe(0);
  });

  it('gives up where the disk takes nothing for minutes, instead of filling the memory', async () => {
    const failures: unknown[] = [];
    const recorder = createCallRecorder((error) => failures.push(error));
    for (let second = 0; second < 400; second += 1) recorder.write('human', tone(1_000, 1), second * 1_000);
    expect(failures).toMatchObject([{ message: 'The disk is too slow for the recording' }]);
    expect(await recorder.finish(1_000)).toBeNull();
  });
});

describe('what was heard of cut speech', () => {
  it('is whole words, by the time they take', () => {
    expect(truncateAtPlayout('Hello Anna, this is Mia.', 0, 2_000)).toEqual({
      heard: '',
      unheard: 'Hello Anna, this is Mia.',
    });
    expect(truncateAtPlayout('Hello Anna, this is Mia.', 1_000, 2_000)).toEqual({
      heard: 'Hello Anna,',
      unheard: 'this is Mia.',
    });
    expect(truncateAtPlayout('Hello Anna, this is Mia.', 2_000, 2_000)).toEqual({
      heard: 'Hello Anna, this is Mia.',
      unheard: '',
    });
  });

  it('grows with time, and with the rest makes the whole', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 20 }), fc.nat(1_000), fc.nat(1_000), (text, one, other) => {
        const [early, late] = [Math.min(one, other), Math.max(one, other)].map((ms) =>
          truncateAtPlayout(text, ms, 1_000),
        );
        expect(late?.heard.startsWith(early?.heard ?? '')).toBe(true);
        expect(`${early?.heard} ${early?.unheard}`.trim()).toBe(text);
      }),
    );
  });
});

describe('the transcript', () => {
  it('has one line per turn, in the order they began, without what nobody heard', () => {
    const turns = [
      { seq: 2, speaker: 'human' as const, text: 'Wait.', startedMs: 900 },
      { seq: 1, speaker: 'agent' as const, text: 'Hello,\nAnna', startedMs: 0 },
      { seq: 3, speaker: 'agent' as const, text: ' ', startedMs: 2_000 },
    ];
    expect(renderTranscript(turns)).toBe('Agent: Hello, Anna\nHuman: Wait.');
    expect(renderTranscript([])).toBe('');
  });
});
