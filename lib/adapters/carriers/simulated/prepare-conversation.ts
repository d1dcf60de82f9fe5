import type { CallSinks, KnowledgeHit, UseWorkspaceTool } from '#lib/engine/plan.ts';
import type { Leg } from '#lib/ports/carrier.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import type { SimulatedLeg } from './leg.ts';

/** What a conversation uses that takes real time. */
type RealWork = {
  sinks: CallSinks;
  languageModel: LanguageModel | undefined;
  fallbackModel?: LanguageModel | undefined;
  searchKnowledge(query: string): Promise<KnowledgeHit[]>;
  useWorkspaceTool: UseWorkspaceTool;
  whileThinking?: During | undefined;
};

/**
 * Prepares a conversation on a simulated leg: its person learns what the call is about, and its time stands still
 * while anything works for it. A conversation on any other leg is given back as it is. To be called before the leg's
 * events are read.
 */
export function prepareSimulated<
  Conversation extends RealWork & { leg: Leg; plan: { variables: Record<string, string> } },
>(conversation: Conversation): Conversation {
  const { leg, plan, sinks, languageModel, fallbackModel, searchKnowledge, useWorkspaceTool } = conversation;
  if (!isSimulated(leg)) return conversation;
  leg.tell(plan.variables);
  const { during } = leg.clock;
  return {
    ...conversation,
    sinks: holdWhileStoring(sinks, during),
    languageModel: languageModel && holdWhileAsked(languageModel, during),
    fallbackModel: fallbackModel && holdWhileAsked(fallbackModel, during),
    searchKnowledge: (query) => during(searchKnowledge(query)),
    useWorkspaceTool: (use) => during(useWorkspaceTool(use)),
    whileThinking: during,
  };
}

/** By its shape: the service's parts may have copies of a module each, which would not know each other's objects. */
function isSimulated(leg: Leg): leg is SimulatedLeg {
  return 'tell' in leg && 'during' in leg.clock;
}

type During = SimulatedLeg['clock']['during'];

function holdWhileAsked(model: LanguageModel, during: During): LanguageModel {
  return {
    model: model.model,
    respond: (request) => ({
      [Symbol.asyncIterator]() {
        const answer = model.respond(request)[Symbol.asyncIterator]();
        return {
          next: () => during(answer.next()),
          return: async (value) => answer.return?.(value) ?? { done: true, value },
        };
      },
    }),
    completeJson: (request) => during(model.completeJson(request)),
  };
}

/** Nobody waits for what is posted, but the call's time does. */
function holdWhileStoring(sinks: CallSinks, during: During): CallSinks {
  const hold = () => void during(sinks.flush()).catch(() => undefined);
  const posting =
    <Parameters extends unknown[]>(post: (...what: Parameters) => void) =>
    (...what: Parameters) => {
      post(...what);
      hold();
    };
  return {
    ringing: posting(sinks.ringing),
    answered: posting(sinks.answered),
    turn: posting(sinks.turn),
    toolUse: posting(sinks.toolUse),
    event: posting(sinks.event),
    flush: () => during(sinks.flush()),
    failed: sinks.failed,
    extendUsage: (totalSeconds) => during(sinks.extendUsage(totalSeconds)),
  };
}
