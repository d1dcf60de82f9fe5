/**
 * How many simulated conversations one core can hold at real-time pace, with the voices' speech in memory.
 *
 *   node bench/engine/parallel.ts [conversations = 200] [seconds = 40]
 *
 * The processor time that the conversations used is set against a plain baseline in the same run: as many timer
 * loops that do nothing but move the same amount of audio into memory every 20 ms, what any live transport has to do.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createSimulatedCarrier } from '#lib/adapters/carriers/simulated/carrier.ts';
import { prepareSimulated } from '#lib/adapters/carriers/simulated/prepare-conversation.ts';
import { createFliteSpeech } from '#lib/adapters/models/local/speech-flite.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { runConversation } from '#lib/engine/run-conversation.ts';
import {
  createMemorySinks,
  noKnowledge,
  noWorkspaceTool,
  noLiveAudio,
  planForTest,
  readRecording,
  silentLog,
} from '#lib/engine/testing.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';

const CONVERSATIONS = Number(process.argv[2] ?? 200);
const SECONDS = Number(process.argv[3] ?? 40);
const PEOPLE = ['00', '01', '02', '11', '13'];
const FRAME_MS = 20;

const speech = createFliteSpeech({ cacheBytes: 512 * 1024 * 1024 });

/** Holds conversations one after the other until `signal` aborts; counts those that ended by themselves. */
async function talk(worker: number, speed: number, signal: AbortSignal, rounds: number): Promise<number> {
  const carrier = createSimulatedCarrier({ speed, speech, clock: systemClock });
  let finished = 0;
  for (let round = 0; round < rounds && !signal.aborted; round += 1) {
    const to = `+155501999${PEOPLE[(worker + round) % PEOPLE.length] ?? '00'}`;
    const plan = planForTest({ humanPhoneNumber: parsePhoneNumber(to) });
    const result = await runConversation(
      prepareSimulated({
        plan,
        leg: await carrier.dial({ reference: `bench-${worker}-${round}`, to }),
        openSpokenLeg: noLiveAudio,
        voices: speech.voices,
        languageModel: undefined,
        searchKnowledge: noKnowledge,
        useWorkspaceTool: noWorkspaceTool,
        sinks: createMemorySinks(),
        clock: systemClock,
        ids: systemIds,
        log: silentLog,
        signal,
      }),
    );
    await readRecording(result);
    if (!signal.aborted) finished += 1;
  }
  return finished;
}

async function moveFrames(signal: AbortSignal): Promise<number> {
  const source = new Int16Array(16 * FRAME_MS).fill(1);
  const kept = new Int16Array(16_000);
  let frames = 0;
  while (!signal.aborted) {
    kept.set(source, (frames * source.length) % (kept.length - source.length));
    frames += 1;
    await systemClock.sleep(FRAME_MS);
  }
  return frames;
}

async function measure(name: string, run: (signal: AbortSignal) => Promise<number[]>) {
  const stop = new AbortController();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  delay.enable();
  const timer = setTimeout(() => stop.abort(new Error('measured')), SECONDS * 1_000);
  const counts = await run(stop.signal);
  clearTimeout(timer);
  delay.disable();
  const elapsedMs = performance.now() - startedAt;
  const used = process.cpuUsage(cpu);
  const cpuShare = (used.user + used.system) / 1_000 / elapsedMs;
  console.log(
    `${name}: ${CONVERSATIONS} in parallel for ${(elapsedMs / 1_000).toFixed(1)} s, ${counts.reduce((sum, count) => sum + count, 0)} finished; ` +
      `${(cpuShare * 100).toFixed(1)} % of a core, event loop late by ${(delay.percentile(99) / 1e6 - 5).toFixed(1)} ms (p99)`,
  );
  return cpuShare;
}

const workers = Array.from({ length: CONVERSATIONS }, (_, index) => index);
const never = new AbortController().signal;
const warmedAt = performance.now();
await Promise.all(workers.map((worker) => talk(worker, 0, never, 2)));
console.log(
  `speech in memory after ${((performance.now() - warmedAt) / 1_000).toFixed(1)} s, ${CONVERSATIONS * 2} calls as fast as possible`,
);

const baseline = await measure('baseline', (signal) => Promise.all(workers.map(() => moveFrames(signal))));
const engine = await measure('engine', (signal) =>
  Promise.all(workers.map((worker) => talk(worker, 1, signal, 2))),
);
console.log(
  `one core holds about ${Math.floor(CONVERSATIONS / engine)} conversations; the engine takes ${(engine / baseline).toFixed(2)} times the baseline`,
);
await speech.close();
