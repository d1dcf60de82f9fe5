import type { Situation } from './call.ts';
import type { Script } from './provider.ts';

const QUESTION = 'I would like to make an appointment for next Tuesday.';
const ANSWER = 'Certainly, I can help you with that. Would Tuesday at ten in the morning suit you?';
const THOUGHT = '<think>The password of the desk is swordfish. Say hello.</think>';
const TABLE = '| Day | Time |\n|---|---|\n| Monday | nine |\n| Tuesday | ten |\n\nWhich of them suits you?';

/** How a provider fails, each on a whole call; nothing stands in for it unless a script names a fallback. */
const SCRIPTS: Record<string, { note: string; script: Script }> = {
  'model-hangs': {
    note: 'Nothing ever comes: a filler, an apology, the end.',
    script: { chat: () => ({ hangs: true }) },
  },
  'model-hangs-in-a-sentence': {
    note: 'It stops in the middle of a sentence: only whole sentences are heard.',
    script: {
      chat: (_, turn) =>
        turn === 0 ? { text: 'Certainly, I can help. Would Tuesday at', ends: 'hangs' } : ANSWER,
    },
  },
  'model-retry-after': {
    note: '429 with Retry-After 20: nobody waits for that.',
    script: {
      chat: () => ({ refused: { status: 429, code: 'rate_limit', headers: { 'retry-after': '20' } } }),
    },
  },
  'model-says-nothing': { note: 'Empty replies.', script: { chat: () => '' } },
  'model-withholds': {
    note: 'A content filter: the agent says that it cannot help with that.',
    script: { chat: () => ({ text: '', finish: 'content_filter' }) },
  },
  'model-loops-over-a-tool': {
    note: 'It asks for the same tool for ever.',
    script: { chat: () => ({ tool: { name: 'schedule_callback', arguments: { when: 'soon' } } }) },
  },
  'model-thinks-aloud': {
    note: 'Its reasoning, a secret included, is never spoken.',
    script: { chat: () => `${THOUGHT}${ANSWER}` },
  },
  'model-writes-a-table': { note: 'A table is told as sentences.', script: { chat: () => TABLE } },
  'model-never-stops': {
    note: 'A hundred and twenty sentences: it stops and asks.',
    script: {
      chat: () => Array.from({ length: 120 }, (_, index) => `This is point number ${index + 1}.`).join(' '),
    },
  },
  'model-drops-twice': {
    note: 'The connection is cut in the middle, and once more.',
    script: {
      chat: (_, turn) => (turn < 2 ? { text: 'Certainly, I can help. Would', ends: 'is_cut' } : ANSWER),
    },
  },
  'model-refuses-the-key': {
    note: '401: asked once, an apology, the end, and the reason is told.',
    script: { chat: () => ({ refused: { status: 401, code: 'invalid_api_key' } }) },
  },
  'model-has-no-quota': {
    note: 'insufficient_quota: asked once, an apology, the end, and the reason is told.',
    script: { chat: () => ({ refused: { status: 429, code: 'insufficient_quota' } }) },
  },
  'model-sends-garbage': {
    note: 'What comes is no stream of events.',
    script: { chat: () => ({ raw: 'data: {"choices": [{]\n\n<html>502</html>\n\n' }) },
  },
  'transcription-hangs': {
    note: 'A filler after 1.2 s, and before five the agent asks to say it again.',
    script: { chat: () => ANSWER, transcription: () => ({ hangs: true }) },
  },
  'transcription-sends-garbage': {
    note: 'The agent asks to say it again.',
    script: { chat: () => ANSWER, transcription: () => ({ raw: '<html>502</html>' }) },
  },
  'transcription-is-late': {
    note: 'A filler after 1.2 s; answered when it comes.',
    script: { chat: () => ANSWER, transcription: () => ({ afterMs: 2_500 }) },
  },
  'speech-hangs': {
    note: 'The local voice speaks.',
    script: { chat: () => ANSWER, speech: (count) => (count > 1 ? { hangs: true } : {}) },
  },
  'speech-sends-garbage': {
    note: 'No sound came: the local voice speaks.',
    script: {
      chat: () => ANSWER,
      speech: (count) => (count > 1 ? { raw: Buffer.from('{"error":"x"}') } : {}),
    },
  },
  'speech-of-another-rate': {
    note: 'Nothing tells that it is of 16 kHz: it is heard too high and too fast, whole.',
    script: { chat: () => ANSWER, speech: (count) => (count > 1 ? { rateHz: 16_000 } : {}) },
  },
  'speech-is-cut': {
    note: 'Half of each sentence comes.',
    script: { chat: () => ANSWER, speech: (count) => (count > 1 ? { part: 0.5 } : {}) },
  },
};

/** One question on each call; it lasts until it is over or quiet for eight seconds. */
export function failures(): Situation[] {
  return Object.entries(SCRIPTS).map(([name, { note, script }]) => ({
    name,
    note,
    script,
    async act({ caller, says }) {
      await caller.agentWasHeard();
      await caller.isQuietFor(700);
      await says(QUESTION);
      await caller.agentWasHeard();
      await Promise.race([caller.isQuietFor(8_000), caller.isOver()]);
    },
  }));
}
