import { createUnheardSpeech } from '#lib/adapters/models/local/speech-unheard.ts';
import type { CallSinks, ConversationResult } from '#lib/engine/plan.ts';
import type { Leg } from '#lib/ports/carrier.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import { type HeardPerson, PERSON_HEARD, type PlayedCall } from '#lib/ports/simulated-person.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import type { Transcriber } from '#lib/ports/transcription.ts';
import { createCallClock } from './call-clock.ts';
import { pickUp } from './conversing.ts';
import { createSimulatedLeg, type FarEnd, type Person, type SimulatedLeg } from './leg.ts';
import { createModelCaller } from './model-caller.ts';
import { createPersonSound, holdWhileTranscribed, type PersonSound } from './person-sound.ts';
import { createRandom } from './random.ts';
import { type CallerPart, createScriptedCaller } from './scripted-caller.ts';

/** After so many turns a person has had enough, whatever the agent says. */
const MOST_TURNS = 60;
const MOST_INTERRUPTIONS = 2;
const QUIET_BEFORE_REPLY_MS = 700;
const PATIENCE_MS = 9_000;
const MOST_SILENCES = 2;
/** Longer than any agent waits for somebody who says nothing. */
const SILENT_FOR_MS = 30 * 60_000;

/** What a played call leaves to be told: why its person could not be played any further, and how they were heard. */
export type Playing = {
  fault?: unknown;
  /** Left out where nothing was to be heard. */
  heard?(): HeardPerson;
};

export type PlayedLeg = SimulatedLeg & {
  playing: Playing;
  /** Left out on a call of words alone. */
  hearing?: { media: Pick<PersonSound, 'onFrame'>; transcriber: Transcriber };
};

type PlayedDeps = {
  speech: SpeechSynthesizer;
  clock: Clock;
  languageModel: LanguageModel | undefined;
  /** Left out, or where no voice speaks the person's language: the words arrive as they are written. */
  transcriber?: Transcriber | undefined;
};

/**
 * The line of a person who is played by a script or by `languageModel`, as fast as possible. A script plays where there
 * is no model. Without sound the words are told as they are said; with it the agent has to listen to them (`hearing`).
 */
export function createPlayedLeg(call: PlayedCall, deps: PlayedDeps): PlayedLeg {
  const { reference, person, isInbound, hasSound } = call;
  const { languageModel } = deps;
  const clock = createCallClock(0, deps.clock);
  const over = new AbortController();
  const playing: Playing = {};
  const part =
    person.playedBy === 'model' && languageModel
      ? createModelCaller(languageModel, { person, isInbound, signal: over.signal })
      : createScriptedCaller(person);
  /** Time stands still while somebody thinks; what goes wrong there ends the call. */
  const reply = (heard: string) =>
    clock.during(part.reply(heard)).catch((error: unknown) => {
      if (!over.signal.aborted) playing.fault = error;
      throw error;
    });
  const sound = hasSound ? createPersonSound(clock, over.signal) : undefined;
  const voice = sound && chooseVoice(call, deps.speech.voices);
  const leg = createSimulatedLeg({
    reference,
    clock,
    speech: hasSound ? deps.speech : createUnheardSpeech(deps.speech.voices),
    random: createRandom(reference),
    person: behaving({ manner: person.manner, isInbound, part: { ...part, reply } }),
    ...(voice ? { voice } : {}),
    sound,
    onClosed: () => over.abort(new Error('the call is over')),
  });
  if (!sound) return { ...leg, playing, record: () => undefined };
  const ears = voice?.speaksLanguage ? deps.transcriber : undefined;
  const transcriber = ears ?? sound.writtenWords;
  playing.heard = () => ({ model: ears?.model ?? null, said: sound.said() });
  return {
    ...leg,
    playing,
    hearing: {
      media: sound,
      transcriber: holdWhileTranscribed(transcriber, { clock, realClock: deps.clock }),
    },
  };
}

/** The same in each run, so that what got worse is not the voice; the agent's only where there is no other. */
function chooseVoice(
  { listening: { language }, voiceId }: PlayedCall,
  voices: SpeechSynthesizer['voices'],
): { id: string | null; language: string | null; speaksLanguage: boolean } {
  const agents = voiceId ?? voices[0]?.id;
  const wanted = (language ?? 'en').split('-')[0]?.toLowerCase() ?? 'en';
  const speaking = voices.filter(
    (voice) => voice.language === 'multilingual' || voice.language.toLowerCase().startsWith(wanted),
  );
  const able = speaking.length > 0 ? speaking : voices;
  const other = able.find(({ id }) => id !== agents) ?? able[0];
  return { id: other?.id ?? null, language: language ?? 'en-US', speaksLanguage: speaking.length > 0 };
}

type Behaviour = { manner: PlayedCall['person']['manner']; isInbound: boolean; part: CallerPart };

function behaving({ manner, isInbound, part }: Behaviour): Person {
  return async (end) => {
    await pickUp(end, isInbound, 'human');
    if (manner === 'silent') return end.wait(SILENT_FOR_MS);
    if (manner === 'hangs_up' && !part.hasMore()) return end.wait(300);
    await talk(end, { interruptions: manner === 'interrupts' ? MOST_INTERRUPTIONS : 0, part });
  };
}

/** Waits until the agent has finished, thinks for a moment, answers. */
async function talk(
  end: FarEnd,
  { interruptions, part }: { interruptions: number; part: CallerPart },
): Promise<void> {
  let silences = 0;
  let left = interruptions;
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const heard = await end.ear.listen({
      quietMs: QUIET_BEFORE_REPLY_MS,
      patienceMs: PATIENCE_MS,
      ...(left > 0 && part.hasMore() ? { interruptAtShare: end.random.between(0.3, 0.5) } : {}),
    });
    if (heard.type === 'nothing') {
      silences += 1;
      if (silences > MOST_SILENCES) return end.hangUp();
      await end.say('Hello?');
      continue;
    }
    silences = 0;
    if (heard.type === 'mid_sentence') left -= 1;
    else await end.wait(end.random.between(150, 700));
    const line = await part.reply(heard.text);
    if (!line) continue;
    if (line.say !== '') await end.say(line.say);
    if (line.next === 'hang_up') return end.hangUp();
    if (line.next === 'farewell') {
      await end.ear.listen({ quietMs: 2_500, patienceMs: 4_000 });
      return end.hangUp();
    }
  }
}

/**
 * Tells how the person of a played call was heard and what they said. Where whoever played them could not go on, the
 * conversation says nothing about the agent: that is thrown.
 */
export async function tellOfPlaying(
  leg: Leg,
  { result, sinks }: { result: ConversationResult; sinks: Pick<CallSinks, 'event'> },
): Promise<void> {
  if (!isPlayed(leg)) return;
  const { heard, fault } = leg.playing;
  if (heard) sinks.event(PERSON_HEARD, heard());
  if (fault === undefined) return;
  for await (const _ of result.recording?.body ?? []) break;
  throw fault instanceof Error ? fault : new Error('The caller could not be played');
}

/** By its shape, see `prepareSimulated`. */
const isPlayed = (leg: Leg): leg is PlayedLeg => 'playing' in leg;
