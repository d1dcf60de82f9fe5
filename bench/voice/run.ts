/**
 * Whole calls by voice in real time: a caller speaks recorded sentences over the WebSocket leg, a provider's server answers by
 * script, and what was recorded is measured.
 *
 *   npx node bench/voice/run.ts [recordings|failures|delays …] [--only=WORD] [--at-once=3] [--out=FOLDER]
 *
 * `recordings`: ten situations for an ear, a WAV each with a note of what should be heard. `failures`: how a provider fails, what
 * the person hears of it, and how the call ends. `delays`: from the person's last sound to the agent's first, for several
 * sentences and languages. Ends with 1 past the bars.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { createFliteSpeech } from '#lib/adapters/models/local/speech-flite.ts';
import { withoutEdges } from '#lib/adapters/models/local/testing.ts';
import { TARGET_LUFS } from '#lib/media/loudness.ts';
import { collectSpeech } from '#lib/media/samples.ts';
import { atLevel } from '#lib/media/testing.ts';
import { median } from '../median.ts';
import { type Held, holdCall, type Situation, type Voices } from './call.ts';
import { failures } from './failures.ts';
import { measureRecording, type Measured } from './measure.ts';
import { delays, situations } from './situations.ts';

const BARS = { medianMs: 700, stepMs: 50, loudnessLu: 1.5 };
const PERSON_DB = -22;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'recordings' },
    only: { type: 'string', default: '' },
    'at-once': { type: 'string', default: '3' },
  },
});

const flite = createFliteSpeech();
const spoken = async (text: string, voiceId: string) =>
  collectSpeech(flite.synthesize({ text, voiceId, language: null }));
const voices: Voices = {
  local: flite,
  person: async (text) => withoutEdges(atLevel(await spoken(text, 'rms'), PERSON_DB)),
  agent: (text) => spoken(text, 'slt'),
};

const SETS: Record<string, () => Situation[]> = {
  recordings: () => situations(voices),
  failures,
  delays,
};

/** What of a measured call is past the bars, in sentences. */
function faultsOf({ agentLufs, clippedSamples, clicks, gapsAtMs, stepsMs }: Measured): string[] {
  const isOff = agentLufs !== undefined && Math.abs(agentLufs - TARGET_LUFS) > BARS.loudnessLu;
  const outOfStep = stepsMs.filter((stepMs) => Math.abs(stepMs) > BARS.stepMs);
  return [
    agentLufs === undefined ? 'the agent is silent' : '',
    isOff ? `the agent's loudness is ${agentLufs.toFixed(1)} LUFS` : '',
    clippedSamples > 0 ? `${clippedSamples} samples are clipped` : '',
    clicks > 0 ? `${clicks} clicks` : '',
    gapsAtMs.length > 0 ? `holes at ${gapsAtMs.join(', ')} ms` : '',
    outOfStep.length > 0 ? `turns ${outOfStep.map(Math.round).join(', ')} ms out of step` : '',
  ].filter((fault) => fault !== '');
}

async function report({ situation, wav, sinks, endReason }: Held, folder: string) {
  const measured = measureRecording(wav, sinks.turns);
  const faults = faultsOf(measured);
  const lufs = (value: number | undefined) => (value === undefined ? 'silent' : `${value.toFixed(1)} LUFS`);
  const told = sinks.events.map(({ type, data }) => `  ${type} ${JSON.stringify(data)}`);
  const text = [
    situation.name,
    situation.note,
    '',
    sinks.transcript(),
    '',
    `End: ${endReason}`,
    `Loudness: agent ${lufs(measured.agentLufs)}, person ${lufs(measured.personLufs)}`,
    `Answers after (ms): ${measured.answersMs.join(', ')}`,
    `Out of step with the transcript by (ms): ${measured.stepsMs.map(Math.round).join(', ')}`,
    `Longest silence: ${measured.longestSilenceMs} ms`,
    `Faults: ${faults.join('; ') || 'none'}`,
    ...told,
  ].join('\n');
  await writeFile(join(folder, `${situation.name}.wav`), wav);
  await writeFile(join(folder, `${situation.name}.txt`), `${text}\n`);
  console.log(`${text}\n`);
  return { name: situation.name, faults, answersMs: measured.answersMs };
}

await mkdir(values.out, { recursive: true });
const atOnce = pLimit(Number(values['at-once']));
let isGood = true;
for (const set of positionals.length > 0 ? positionals : ['recordings']) {
  const calls = (SETS[set]?.() ?? []).filter(({ name }) => name.includes(values.only));
  if (calls.length === 0) throw new Error(`There is no ${set}; there are ${Object.keys(SETS).join(', ')}`);
  const reports = await Promise.all(
    calls.map((situation) => atOnce(async () => report(await holdCall(situation, voices), values.out))),
  );
  const medianMs = median(reports.flatMap(({ answersMs }) => answersMs));
  const faulty = reports.filter(({ faults }) => faults.length > 0);
  const answered = Number.isNaN(medianMs) ? 'no answers' : `answers after ${medianMs} ms in the middle`;
  console.log(`${set}: ${reports.length} calls, ${answered}`);
  for (const { name, faults } of faulty) console.log(`  ${name}: ${faults.join('; ')}`);
  if (faulty.length > 0 || (set === 'delays' && medianMs > BARS.medianMs)) isGood = false;
}
await flite.close();
process.exit(isGood ? 0 : 1);
