import type { LanguageModel, ModelUsage } from '#lib/ports/language-model.ts';
import type { Logger } from '#lib/log.ts';
import type { Analysis, AnalyzedCall } from './facts.ts';
import { checkedAnalysis } from './claims.ts';
import { askModel } from './model.ts';
import { findingsOf } from './findings.ts';
import { analyzeRecordedMessage } from './recorded-message.ts';
import { analyzeByRules } from './rules.ts';

const MODEL_TIMEOUT_MS = 30_000;

export type AnalysisResult = Analysis & { by: 'rules' | 'model'; usage: ModelUsage | undefined };

/**
 * Says what a call was: by the language model where there is one and there is something to read, else by the rules.
 * Never throws: a model that fails or answers nonsense only costs its better words.
 */
export async function analyzeCall(
  call: AnalyzedCall,
  deps: { languageModel: LanguageModel | undefined; log: Logger },
): Promise<AnalysisResult> {
  if (call.outcome.recordedMessage && call.outcome.connected)
    return { ...analyzeRecordedMessage(call), by: 'rules', usage: undefined };
  const found = findingsOf(call);
  const byRules = { ...analyzeByRules(call, found), by: 'rules' as const, usage: undefined };
  const hasConversation =
    call.outcome.connected && !call.outcome.voicemail && found.machine === null && !found.abandoned;
  if (!deps.languageModel || !hasConversation) return byRules;
  if (found.hasOrders) {
    deps.log.warn({ event: 'analysis_by_rules', reason: 'the transcript gives orders to the analyzer' });
    return byRules;
  }
  try {
    const { answer, usage } = await askModel(call, deps.languageModel, AbortSignal.timeout(MODEL_TIMEOUT_MS));
    return { ...checkedAnalysis(call, found, { answer, byRules }), by: 'model', usage };
  } catch (error) {
    deps.log.warn({
      event: 'analysis_by_rules',
      reason: error instanceof Error ? error.message.slice(0, 300) : String(error),
    });
    return byRules;
  }
}
