import { createUnheardSpeech } from '#lib/adapters/models/local/speech-unheard.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import type { PlayedCall } from '#lib/ports/simulated-person.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import { createCallClock } from './call-clock.ts';
import { pickUp } from './conversing.ts';
import { createSimulatedLeg, type FarEnd, type Person, type SimulatedLeg } from './leg.ts';
import { createModelCaller } from './model-caller.ts';
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

/** The leg of a played call, and why its person could not be played any further. */
export type PlayedLeg = SimulatedLeg & { playing: { fault?: unknown } };

/**
 * The line of a person who is played by a script or by `languageModel`, as fast as possible. A script plays where there
 * is no model. Without sound the call takes the same course, up to the moments at which its words fall.
 */
export function createPlayedLeg(
  { reference, person, isInbound, hasSound }: PlayedCall,
  deps: { speech: SpeechSynthesizer; clock: Clock; languageModel: LanguageModel | undefined },
): PlayedLeg {
  const { languageModel } = deps;
  const clock = createCallClock(0, deps.clock);
  const over = new AbortController();
  const playing: PlayedLeg['playing'] = {};
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
  const leg = createSimulatedLeg({
    reference,
    clock,
    speech: hasSound ? deps.speech : createUnheardSpeech(deps.speech.voices),
    random: createRandom(reference),
    person: behaving({ manner: person.manner, isInbound, part: { ...part, reply } }),
    onClosed: () => over.abort(new Error('the call is over')),
  });
  return { ...leg, playing, ...(hasSound ? {} : { record: () => undefined }) };
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
