import { emptyResults, type Result, type ResultField } from '#lib/features/agents/results/rules.ts';
import type { Logger } from '#lib/log.ts';
import type { LanguageModel, ModelUsage } from '#lib/ports/language-model.ts';
import { findingsOf } from '../findings.ts';
import { resultsByModel } from './by-model.ts';
import { resultsByRules } from './by-rules.ts';
import { type ReadCall, readTurns } from './conversation.ts';

const MODEL_TIMEOUT_MS = 30_000;

export type Extraction = { results: Result[] | null; usage: ModelUsage | undefined };

/**
 * What a conversation yielded for the fields of its agent, null where there are none: by the language model where there is
 * one, else by the rules. Never throws: where a model fails, the rules serve.
 */
export async function extractResults(
  fields: readonly ResultField[],
  call: ReadCall,
  deps: { languageModel: LanguageModel | undefined; log: Logger },
): Promise<Extraction> {
  if (fields.length === 0 || !isConversation(call))
    return { results: emptyResults(fields), usage: undefined };
  const { turns, hasOrders } = readTurns(call.turns);
  const byRules = () => ({ results: resultsByRules(fields, call, turns), usage: undefined });
  if (!deps.languageModel) return byRules();
  if (hasOrders) {
    deps.log.warn({ event: 'results_by_rules', reason: 'the transcript gives orders to the analyzer' });
    return byRules();
  }
  try {
    return await resultsByModel(
      fields,
      { call, turns },
      { model: deps.languageModel, signal: AbortSignal.timeout(MODEL_TIMEOUT_MS) },
    );
  } catch (error) {
    deps.log.warn({
      event: 'results_by_rules',
      reason: error instanceof Error ? error.message.slice(0, 300) : String(error),
    });
    return byRules();
  }
}

/** A machine answers no questions, and where nobody talked there is nothing to read. */
function isConversation(call: ReadCall): boolean {
  const { connected, voicemail, recordedMessage } = call.outcome;
  if (!connected || voicemail || recordedMessage) return false;
  if (call.turns.every(({ speaker }) => speaker === 'agent')) return false;
  return findingsOf(call).machine === null;
}
