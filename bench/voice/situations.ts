import { spokenLanguage } from '#lib/engine/languages/catalog.ts';
import { atLevel, joined, mixed, noise, silence, tone } from '#lib/media/testing.ts';
import { SAMPLES_PER_MS } from '#lib/ports/media.ts';
import type { Situation, Voices } from './call.ts';

const QUESTION = 'I would like to make an appointment for next Tuesday.';
const ANSWER = 'Certainly, I can help you with that. Would Tuesday at ten in the morning suit you?';
const LONG = Array.from(
  { length: 60 },
  (_, index) => `This is point number ${index + 1} of what there is to know about a check-up.`,
).join(' ');

type Act = Situation['act'];

const inLanguage = (language: string) => ({ hints: [], language, isMultilingual: false, hasBargeIn: true });

/** Waits for the opening, says each of `sentences` and hears the answer to it. */
function converse(sentences: readonly string[], quietMs = 900): Act {
  return async ({ caller, says }) => {
    await caller.agentWasHeard();
    for (const sentence of sentences) {
      await caller.isQuietFor(700);
      await says(sentence);
      await caller.agentWasHeard();
    }
    await caller.isQuietFor(quietMs);
  };
}

/** Says `words` two seconds into the agent's answer. */
function speakOver(words: string): Act {
  return async ({ caller, says }) => {
    await caller.agentWasHeard();
    await caller.isQuietFor(700);
    await says(QUESTION);
    await caller.agentWasHeard();
    await caller.wait(2_000);
    await says(words);
    await caller.wait(800);
    await caller.agentWasHeard();
    await caller.isQuietFor(1_200);
  };
}

/** Ten situations for an ear; what should be heard stands beside each. */
export function situations(voices: Voices): Situation[] {
  const answering = { chat: () => ANSWER };
  return [
    {
      name: '01-interruption',
      note: 'The agent explains at length; two seconds into it the person says "Wait, please, that is not what I meant." The agent is silent within half a second or so, at a clean end, and answers the person.',
      script: { chat: (_, turn) => (turn === 0 ? LONG.slice(0, 600) : 'I am sorry. What did you mean?') },
      act: speakOver('Wait, please, that is not what I meant at all.'),
    },
    {
      name: '02-back-channel',
      note: 'The agent explains; the person says "okay" meanwhile. The agent goes on as if nothing was, or goes on with the next word after a short break.',
      script: { chat: () => `${ANSWER} We have two rooms, and you will be called in on time.` },
      act: speakOver('Okay.'),
    },
    {
      name: '03-tool-with-filler',
      note: 'The person asks to be called back. The model thinks for two seconds after its tool: a short filler comes after 1.2 s at most, then the confirmation.',
      script: {
        chat: (_, turn) =>
          turn === 0
            ? { tool: { name: 'schedule_callback', arguments: { when: 'next week' } } }
            : { afterMs: 2_000, text: 'I noted it. Somebody will call you back next week.' },
      },
      act: converse(['Could somebody call me back next week, please?'], 2_500),
    },
    {
      name: '04-provider-failure',
      note: 'The model does not answer at all. A filler, then whole sentences of the other model; no silence above five seconds.',
      script: { chat: () => ({ hangs: true }), fallback: () => ANSWER },
      act: converse([QUESTION], 5_500),
    },
    {
      name: '05-voicemail',
      note: 'A greeting of an answering machine, spoken by the person’s voice, and a beep. The agent stops its opening, waits for the beep, and leaves its message after it, whole.',
      script: answering,
      async act({ caller, says }) {
        const greeting =
          'Hello, you have reached the voicemail of Anna. Please leave a message after the tone.';
        const beep = tone(500, { hz: 1_000, db: -14 });
        await says(greeting, joined(await voices.person(greeting), silence(900), beep));
        await caller.isOver();
      },
    },
    {
      name: '06-digits',
      note: 'The agent asks for a number; the person presses 4 7 1 and the hash key. The agent answers at once.',
      script: {
        chat: (heard) =>
          heard.includes('pressed') ? 'Thank you. Four seven one it is.' : 'Please press your number.',
      },
      async act({ caller, says }) {
        await converse([QUESTION])({ caller, says });
        for (const digit of '471#') {
          caller.press(digit);
          await caller.wait(300);
        }
        await caller.agentWasHeard();
        await caller.isQuietFor(900);
      },
    },
    {
      name: '07-long-reply',
      note: 'The model writes sixty sentences. After half a minute or so the agent stops at the end of a sentence and asks whether to go on.',
      script: { chat: () => LONG },
      async act({ caller, says }) {
        await caller.agentWasHeard();
        await caller.isQuietFor(700);
        await says(QUESTION);
        await caller.agentWasHeard();
        await caller.isQuietFor(1_200);
      },
    },
    {
      name: '08-german',
      note: 'German words (spoken by the English local voice, which is all there is without a provider). The filler after 1.2 s is German too.',
      plan: {
        language: spokenLanguage('de'),
        listening: inLanguage('de'),
        prompt: { opening: 'Guten Tag, hier ist Mia. Haben Sie kurz Zeit?' },
      },
      script: { chat: () => ({ afterMs: 2_000, text: 'Gerne. Passt Ihnen Dienstag um zehn Uhr?' }) },
      act: converse(['Ich möchte einen Termin am Dienstag.']),
    },
    {
      name: '09-noise',
      note: 'The person calls from a noisy street. They are understood; the noise neither stops the agent nor makes it wait.',
      script: answering,
      async act({ caller, says }) {
        await caller.agentWasHeard();
        await caller.isQuietFor(700);
        const words = atLevel(await voices.person(QUESTION), -22);
        const street = noise(words.length / SAMPLES_PER_MS + 6_000, { db: -42 });
        const saying = says(QUESTION, mixed(street, words));
        await caller.wait(words.length / SAMPLES_PER_MS);
        await caller.agentWasHeard();
        await saying;
        await caller.isQuietFor(900);
      },
    },
    {
      name: '10-transfer',
      note: 'The person asks for a human. The agent announces it; a browser’s call cannot be handed over, and the agent comes back and says so.',
      plan: { transferNumber: '+15550142000' },
      script: {
        chat: (_, turn) =>
          turn === 0
            ? {
                text: 'I will put you through.',
                tool: { name: 'transfer_call', arguments: { reason: 'a human' } },
              }
            : 'Unfortunately nobody is free. Shall somebody call you back?',
      },
      async act(call) {
        await converse(['Can I talk to a human, please?'])(call);
        await call.caller.wait(2_000);
        await call.caller.isQuietFor(900);
      },
    },
  ];
}

/** Several utterances and languages, answered at once: what a caller waits. */
export function delays(): Situation[] {
  const turns: [string, string, string[]][] = [
    [
      'en',
      'Of course.',
      [QUESTION, 'Yes.', 'What does a check up cost?', 'I can come at four.', 'No, thank you.'],
    ],
    [
      'de',
      'Gerne.',
      ['Ich möchte einen Termin am Dienstag.', 'Ja.', 'Was kostet eine Untersuchung?', 'Nein danke.'],
    ],
    [
      'es',
      'Claro que sí.',
      ['Quisiera pedir una cita para el martes.', 'Sí.', '¿Cuánto cuesta?', 'No, gracias.'],
    ],
    [
      'fr',
      'Bien sûr.',
      ['Je voudrais un rendez-vous pour mardi.', 'Oui.', 'Combien ça coûte ?', 'Non merci.'],
    ],
  ];
  return turns.map(([code, answer, sentences]) => ({
    name: `delay-${code}`,
    note: 'Each sentence is answered at once.',
    plan: { language: spokenLanguage(code), listening: inLanguage(code), prompt: { opening: answer } },
    script: { chat: () => answer },
    act: converse(sentences),
  }));
}
