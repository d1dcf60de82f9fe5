import { runConversation } from '#lib/engine/run-conversation.ts';
import type { KnowledgeHit } from '#lib/engine/plan.ts';
import {
  createMemorySinks,
  createSilentSpeech,
  noKnowledge,
  noWorkspaceTool,
  noLiveAudio,
  planForTest,
  readRecording,
  silentLog,
} from '#lib/engine/testing.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import { countingIds, manualClock } from '#lib/ports/testing.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { createCallClock } from './call-clock.ts';
import { createSimulatedLeg, type Person } from './leg.ts';
import { prepareSimulated } from './prepare-conversation.ts';
import { createRandom } from './random.ts';

type CallWithOptions = {
  plan?: Parameters<typeof planForTest>[0];
  store?: NonNullable<Parameters<typeof createMemorySinks>[0]>['store'];
  extendUsage?: () => Promise<boolean>;
  speed?: number;
  clock?: ReturnType<typeof manualClock>;
  grantedSeconds?: number;
  speech?: SpeechSynthesizer;
  languageModel?: LanguageModel;
  fallbackModel?: LanguageModel;
  searchKnowledge?: (query: string) => Promise<KnowledgeHit[]>;
  flush?: () => Promise<void>;
  abort?: AbortController;
  answeredBy?: 'human' | 'machine';
};

/** A call on virtual time with a person who acts out a script, starting at the answer. */
export async function callWith(script: Person, options: CallWithOptions = {}) {
  const speech = options.speech ?? createSilentSpeech();
  const clock = createCallClock(options.speed ?? 0, options.clock ?? manualClock());
  const leg = createSimulatedLeg({
    reference: 'ref',
    clock,
    speech,
    random: createRandom('ref'),
    onClosed: () => undefined,
    person: async (end) => {
      await end.wait(1_000);
      end.answer(options.answeredBy ?? 'human');
      await script(end);
    },
  });
  const sinks = createMemorySinks(options);
  const result = await runSimulated({
    plan: planForTest(options.plan),
    leg,
    voices: speech.voices,
    languageModel: options.languageModel,
    fallbackModel: options.fallbackModel,
    searchKnowledge: options.searchKnowledge ?? noKnowledge,
    sinks: {
      ...sinks,
      ...(options.extendUsage ? { extendUsage: options.extendUsage } : {}),
      ...(options.flush ? { flush: options.flush } : {}),
    },
    clock: options.clock ?? systemClock,
    signal: options.abort?.signal ?? new AbortController().signal,
  });
  await readRecording(result);
  return {
    result,
    turns: sinks.turns,
    events: sinks.events,
    extensions: sinks.extensions,
    lines: sinks.transcript().split('\n'),
  };
}

type Prepared = Parameters<typeof runConversation>[0];

/** A conversation of the engine on a leg of this carrier, around which nothing is but what is given. */
export function runSimulated(given: Pick<Prepared, 'plan' | 'leg' | 'voices' | 'sinks'> & Partial<Prepared>) {
  return runConversation(
    prepareSimulated({
      openSpokenLeg: noLiveAudio,
      languageModel: undefined,
      searchKnowledge: noKnowledge,
      useWorkspaceTool: noWorkspaceTool,
      clock: systemClock,
      ids: countingIds(),
      log: silentLog,
      signal: new AbortController().signal,
      ...given,
    }),
  );
}

/** A person who stays on the line and says nothing. */
export const stayOnTheLine: Person = async (end) => {
  for (;;) await end.wait(60_000);
};
