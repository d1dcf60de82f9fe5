import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, expect, type Page, test } from '@playwright/test';
import { levelDb } from '#lib/media/level.ts';
import { SAMPLES_PER_MS } from '#lib/ports/media.ts';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import { channelOf, soundsOf } from '../bench/voice/measure.ts';
import { type Provider, startProvider } from '../bench/voice/provider.ts';
import { BROWSER_WITH_MICROPHONE } from './support/microphone.ts';
import { startService } from './support/service.ts';
import { writeSpokenFile } from './support/spoken-file.ts';

/*
 * A person who is only heard: Chromium's microphone plays a file. The service has a transcription and a language model that
 * answer by script; what is said, when a turn is over, what interrupts and what is recorded is the service's own work.
 */
const QUESTION = 'What are your opening hours?';
const INTERRUPTION = 'I have to stop you there for a moment please.';
const ANSWER =
  'We are open from Monday to Thursday between eight in the morning and six in the evening, on Friday until two in the afternoon, and on the first Saturday of each month between nine and noon, with the exception of public holidays, on which another practice in the same street takes our patients.';
const OWNER = { email: 'owner@voice.test', password: 'voice-password-1' };
const PROVISION = {
  workspaces: [
    {
      id: 'ws_voice',
      name: 'Voice',
      users: [{ ...OWNER, name: 'Owner', role: 'owner' }],
      agents: [
        {
          id: 'agent_voice',
          name: 'Front desk',
          inboundPrompt: 'You answer the phone for a dentist.',
          inboundGreeting: 'Hello.',
        },
      ],
    },
  ],
};

let folder: string;
let provider: Provider;
let service: Awaited<ReturnType<typeof startService>>;
let browser: Browser;
let sentences: Int16Array[];

test.beforeAll(async () => {
  test.setTimeout(120_000);
  folder = await mkdtemp(join(tmpdir(), 'callwright-voice-'));
  const file = join(folder, 'person.wav');
  sentences = await writeSpokenFile(file, [
    { afterMs: 5_000, text: QUESTION },
    { afterMs: 6_000, text: INTERRUPTION },
  ]);
  const silent = async () => new Int16Array(0);
  provider = await startProvider({ chat: answer }, silent);
  provider.state.words = QUESTION;
  await writeFile(join(folder, 'provision.json'), JSON.stringify(PROVISION));
  service = await startService({
    port: await freePort(),
    dataDir: join(folder, 'data'),
    env: {
      PROVISION_FILE: join(folder, 'provision.json'),
      SIMULATION_SPEED: '1',
      CONVERSATION_PROCESSES: '1',
      OPENAI_BASE_URL: provider.baseUrl,
      CHAT_MODEL: 'scripted',
      TRANSCRIPTION_MODEL: 'whisper-1',
      SPEECH_MODEL: 'local',
    },
  });
  const { launchOptions } = BROWSER_WITH_MICROPHONE;
  const args = [...launchOptions.args, `--use-file-for-fake-audio-capture=${file}%noloop`];
  browser = await chromium.launch({ ...launchOptions, args });
});

/** What is said next is the interruption, once the question is surely understood. */
function answer(heard: string): string {
  if (!heard.includes('opening hours')) return 'Of course. Take your time.';
  setTimeout(() => (provider.state.words = INTERRUPTION), 1_500);
  return ANSWER;
}

test.afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await provider?.close();
  await rm(folder, { recursive: true, force: true });
});

test(
  'what is said into the microphone is answered, and interrupts; both are in the recording',
  { tag: '@nightly' },
  async () => {
    const page = await openTalk();
    await page.getByRole('button', { name: 'Start talking' }).click();
    const transcript = page.getByRole('list', { name: 'Transcript' });
    await expect(transcript).toContainText(QUESTION, { timeout: 20_000 });
    await expect(transcript).toContainText('We are open from Monday', { timeout: 20_000 });
    await expect(transcript).toContainText('Of course. Take your time.', { timeout: 30_000 });
    await page.getByRole('button', { name: 'Hang up' }).click();
    await page.getByRole('link', { name: 'Open conversation' }).click();
    await expect(page.getByText('Interrupted').first()).toBeVisible();
    await expect(page.getByTitle('Meant, but not heard')).toContainText('public holidays');
    const call = await readCall(page);
    const said = call.turns.map(
      ({ speaker, interrupted }) => `${speaker}${interrupted ? ' (interrupted)' : ''}`,
    );
    expect(said.slice(0, 5)).toEqual(['agent', 'human', 'agent (interrupted)', 'human', 'agent']);
    const [, question, answer] = call.turns;
    expect(answer?.intendedText).toBe(ANSWER);
    expect(answer?.text.length).toBeLessThan(ANSWER.length);
    expect(question?.text).toBe(QUESTION);
    await measure(page, call);
  },
);

/** The question is in the caller's channel, the answer in the agent's, which falls silent when it is interrupted. */
async function measure(page: Page, { turns, recordingUrl }: CallDetail): Promise<void> {
  const wav = await (await page.request.get(recordingUrl ?? '')).body();
  const [agent, person] = [channelOf(wav, 0), channelOf(wav, 2)];
  const [asked, interrupting] = soundsOf(person).filter(({ fromMs, toMs }) => toMs - fromMs > 300);
  if (!asked || !interrupting) throw new Error('the caller is not heard twice in their channel');
  const heard = cut(person, asked.fromMs - 100, asked.fromMs + lengthMs(sentences[0]) + 300);
  expect(likeness(heard, sentences[0] ?? new Int16Array(0))).toBeGreaterThan(0.8);
  expect(levelDb(cut(agent, asked.fromMs, asked.toMs))).toBeLessThan(-60);
  const answer = soundsOf(agent).find(({ toMs }) => toMs > asked.toMs + 300);
  if (!answer) throw new Error('the answer is not in the channel of the agent');
  expect(answer.fromMs).toBeLessThan(interrupting.fromMs);
  expect(Math.abs(answer.fromMs - (turns[2]?.startedMs ?? 0))).toBeLessThan(300);
  const fellSilentMs = soundsOf(agent).findLast(({ fromMs }) => fromMs < interrupting.fromMs)?.toMs ?? 0;
  expect(fellSilentMs - interrupting.fromMs).toBeGreaterThan(0);
  expect(fellSilentMs - interrupting.fromMs).toBeLessThan(1_500);
}

const lengthMs = (samples: Int16Array | undefined) => (samples?.length ?? 0) / SAMPLES_PER_MS;
const cut = (samples: Int16Array, fromMs: number, toMs: number) =>
  samples.subarray(Math.max(0, Math.round(fromMs * SAMPLES_PER_MS)), Math.round(toMs * SAMPLES_PER_MS));

/**
 * How alike the loudness of two sounds rises and falls, at best, 1 at most: a browser changes every sample of a microphone
 * (echo, noise, loudness), and leaves the words.
 */
function likeness(heard: Int16Array, said: Int16Array): number {
  const [one, other] = [envelope(heard), envelope(said)];
  let best = 0;
  for (let shift = 0; shift + other.length <= one.length; shift += 1)
    best = Math.max(best, correlation(one.slice(shift, shift + other.length), other));
  return best;
}

function envelope(samples: Int16Array): number[] {
  const step = 20 * SAMPLES_PER_MS;
  const levels: number[] = [];
  for (let at = 0; at + step <= samples.length; at += step)
    levels.push(Math.max(-60, levelDb(samples.subarray(at, at + step))));
  return levels;
}

function correlation(one: readonly number[], other: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
  const [oneMean, otherMean] = [mean(one), mean(other)];
  let [both, ones, others] = [0, 0, 0];
  for (const [index, value] of one.entries()) {
    const [x, y] = [value - oneMean, (other[index] ?? 0) - otherMean];
    both += x * y;
    ones += x * x;
    others += y * y;
  }
  return both / Math.sqrt(ones * others);
}

async function openTalk(): Promise<Page> {
  const context = await browser.newContext({ baseURL: service.url, permissions: ['microphone'] });
  const page = await context.newPage();
  const answer = await page.request.post('/api/auth/sign-in/email', { data: OWNER });
  expect(answer.status()).toBe(200);
  await page.goto('/w/ws_voice/agents/agent_voice/talk');
  return page;
}

/** The conversation of the page, when its recording is there. */
async function readCall(page: Page): Promise<CallDetail> {
  const id = /conversations\/([^/?]+)/.exec(page.url())?.[1] ?? '';
  let call: CallDetail | undefined;
  await expect(async () => {
    const answer = await page.request.get(`/api/dashboard/calls/${id}`, {
      params: { workspaceId: 'ws_voice' },
    });
    call = ((await answer.json()) as { data: CallDetail }).data;
    expect(call.recordingUrl).not.toBeNull();
  }).toPass({ timeout: 15_000 });
  if (!call) throw new Error('there is no call');
  return call;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}
