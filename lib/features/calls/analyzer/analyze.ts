import type { LanguageModel, ModelUsage } from '#lib/ports/language-model.ts';
import type { Logger } from '#lib/log.ts';
import type { Analysis, AnalyzedCall } from './facts.ts';
import { analyzeByModel } from './model.ts';
import { analyzeByRules, findingsOf } from './rules.ts';

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
  const byRules = { ...analyzeByRules(call), by: 'rules' as const, usage: undefined };
  const hasConversation = call.outcome.connected && !call.outcome.voicemail && !findingsOf(call).abandoned;
  if (!deps.languageModel || !hasConversation) return byRules;
  try {
    const { analysis, usage } = await analyzeByModel(
      call,
      deps.languageModel,
      AbortSignal.timeout(MODEL_TIMEOUT_MS),
    );
    return { ...analysis, by: 'model', usage };
  } catch (error) {
    deps.log.warn({
      event: 'analysis_by_rules',
      reason: error instanceof Error ? error.message.slice(0, 300) : String(error),
    });
    return byRules;
  }
}
