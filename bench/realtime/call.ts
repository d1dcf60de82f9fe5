import { connectCaller, serveCall } from '#bench/voice/caller.ts';
import { holdConversation } from '#bench/voice/conversation.ts';
import { channelOf } from '#bench/voice/measure.ts';
import { sayForTest } from '#lib/adapters/models/local/testing.ts';
import { startRealtimeServer } from '#lib/adapters/models/openai/realtime-testing.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { createConversations, openModels } from '#lib/conversation-runtime.ts';
import { planForTest, silentLog } from '#lib/engine/testing.ts';
import { parseEnv } from '#lib/env.ts';
import { levelDb } from '#lib/media/level.ts';
import { createLoudnessMeter } from '#lib/media/loudness.ts';
import { FRAME_SAMPLES, SAMPLES_PER_MS } from '#lib/ports/media.ts';
import { median } from '../median.ts';

/*
 * One call by voice through everything, in real time: a client speaks recorded sentences over the WebSocket leg, a model
 * that hears and speaks answers at once over the Realtime API's double, and both sides are measured from what the client
 * sent and got, and from the recording. `npx node bench/realtime/call.ts [turns]`; ends with 1 past the bars.
 */

const TURNS = Number(process.argv[2] ?? 10);
const QUESTION = 'I would like to make an appointment for next Tuesday.';
const ANSWER = 'Certainly, Tuesday is free. Does ten in the morning suit you?';
const MEDIAN_BAR_MS = 700;
const LOUD_DB = -45;

const plan = planForTest({ callId: 'cnv_bench' });
const opening = plan.prompt.opening.match(/[^.?!]+[.?!]/g)?.map((part) => part.trim()) ?? [];
const person = (await sayForTest([QUESTION], 'slt'))[QUESTION] ?? new Int16Array(0);
const agent: Record<string, Int16Array> = await sayForTest([...opening, ANSWER], 'rms');

const server = await startRealtimeServer();
// Fixed lines that nobody hears here (fillers and the like) are made of the same speech.
server.state.voice = (text) => agent[text] ?? agent[ANSWER] ?? new Int16Array(0);
server.state.hears = (words) => (words === '' ? '' : QUESTION);
server.state.answers = Array.from({ length: TURNS }, () => ({ text: ANSWER }));

const env = parseEnv({
  OPENAI_BASE_URL: server.baseUrl,
  REALTIME_MODEL: 'gpt-realtime',
  SPEECH_MODEL: 'local',
});
const conversations = createConversations({ ...openModels(env, silentLog), ids: systemIds, log: silentLog });
const line = await serveCall(conversations, 'cnv_bench');

const client = await connectCaller(line.url);
const { sinks, ended } = await holdConversation(conversations, {
  plan,
  carrier: 'browser',
  reference: 'cnv_bench',
});

await client.agentWasHeard();
const waits: number[] = [];
for (let turn = 0; turn < TURNS; turn += 1) {
  await client.isQuietFor(600);
  const endedMs = await client.say(person);
  waits.push((await client.agentWasHeard()) - endedMs);
}
await client.isQuietFor(600);
client.hangUp();
report((await ended).wav);
await conversations.close();
line.close();
await server.close();

function report(wav: Buffer): void {
  const sorted = waits.toSorted((one, other) => one - other).map(Math.round);
  const medianMs = median(sorted);
  const said = sinks.turns.filter(({ speaker }) => speaker === 'agent').map(({ text }) => text);
  const meter = createLoudnessMeter();
  const left = channelOf(wav, 0);
  meter.add(left);
  const firstMs = firstLoudMs(left);
  const stepMs = Math.abs(firstMs - (sinks.turns[0]?.startedMs ?? 0));
  const isWhole = said[0] === plan.prompt.opening && said.slice(1).every((text) => text === ANSWER);
  const timings = sinks.turns.flatMap((turn) => turn.timings ?? []);
  const lines = [
    `voice to voice, ${TURNS} turns: median ${medianMs} ms (${sorted[0]} to ${sorted.at(-1)})`,
    `of that by the service's own account: ${timings.map(({ totalMs }) => totalMs).join(', ')} ms`,
    `the transcript is ${isWhole ? 'whole' : `not what was said: ${JSON.stringify(said)}`}`,
    `the agent is recorded at ${meter.integrated()?.toFixed(1)} LUFS, ${stepMs} ms out of step with the transcript`,
    `the client broke the protocol: ${server.state.errors.length} times ${server.state.errors.join('; ')}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (medianMs > MEDIAN_BAR_MS || !isWhole || stepMs > 50 || server.state.errors.length > 0)
    process.exitCode = 1;
}

function firstLoudMs(samples: Int16Array): number {
  for (let at = 0; at < samples.length; at += FRAME_SAMPLES / 4)
    if (levelDb(samples.subarray(at, at + FRAME_SAMPLES / 4)) > LOUD_DB) return at / SAMPLES_PER_MS;
  return Number.NaN;
}
