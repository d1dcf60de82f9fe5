import type { Brain } from '#lib/engine/brain/brain.ts';
import { callInstructions } from '#lib/engine/brain/call-instructions.ts';
import { createModelHistory, type ModelHistory } from '#lib/engine/brain/model-history.ts';
import { splitSentences } from '#lib/engine/brain/sentences.ts';
import type { CallPlan } from '#lib/engine/plan.ts';
import { offeredTools } from '#lib/engine/tools/registry.ts';
import type { MediaLeg } from '#lib/ports/carrier.ts';
import type { RealtimeModel } from '#lib/ports/realtime.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import type { Transcriber } from '#lib/ports/transcription.ts';
import { createRealtimeEars } from './ears.ts';
import { createRealtimeBrain, type RealtimeBrainOptions } from './realtime-brain.ts';
import { createRealtimeVoice, type KeptLines } from './voice.ts';

/** Listening, voice and brain of a call on which one model hears, thinks and speaks. */
export type RealtimeCall = {
  /** What turns speech into words, `other` where the model's session does not. */
  hear(other: Transcriber | undefined): Transcriber;
  /** What says fixed lines, `other` where the model does not. */
  speak(other: Pick<SpeechSynthesizer, 'synthesize'>): Pick<SpeechSynthesizer, 'synthesize'>;
  /** `createOther` makes the brain that answers where the model cannot. */
  think(
    options: Pick<RealtimeBrainOptions, 'clock' | 'latencies'> & {
      createOther: ((history: ModelHistory) => { brain: Brain<string>; model: string }) | undefined;
      onFailure: RealtimeBrainOptions['onFailure'];
    },
  ): Brain;
};

/** Opens the session of a call, which connects while the other side is still ringing. `signal` aborts at the call's end. */
export function openRealtimeCall(options: {
  model: RealtimeModel;
  kept: KeptLines;
  plan: CallPlan;
  leg: MediaLeg;
  signal: AbortSignal;
}): RealtimeCall {
  const { model, plan, leg, signal } = options;
  const usage = { inputTokens: 0, outputTokens: 0 };
  let isGivenUp = false;
  const voiceId = model.voices.some(({ id }) => id === plan.voiceId) ? plan.voiceId : null;
  const session = model.open({
    instructions: callInstructions(plan),
    tools: offeredTools(plan, leg).map(({ definition }) => definition),
    voiceId,
    listening: plan.listening,
    isTelephone: leg.media.isTelephone === true,
    signal,
    onUsage(used) {
      usage.inputTokens += used.inputTokens;
      usage.outputTokens += used.outputTokens;
    },
  });

  return {
    hear: (other) => createRealtimeEars({ session, other, clock: leg.clock, isGivenUp: () => isGivenUp }),
    speak(other) {
      const voice = createRealtimeVoice({
        session,
        other,
        clock: leg.clock,
        name: `${model.model} ${voiceId ?? ''} ${leg.media.isTelephone === true}`,
        language: plan.listening.language ?? plan.language.code,
        kept: options.kept,
        isGivenUp: () => isGivenUp,
        signal,
      });
      void prepareLines(voice, plan);
      return voice;
    },
    think({ createOther, ...rest }) {
      const history = createModelHistory();
      const other = createOther?.(history);
      const brain = createRealtimeBrain({
        ...rest,
        model: model.model,
        plan,
        session,
        history,
        other,
        onGivenUp() {
          isGivenUp = true;
        },
      });
      return {
        ...brain,
        get usage() {
          const { inputTokens = 0, outputTokens = 0 } = other?.brain.usage ?? {};
          return {
            inputTokens: usage.inputTokens + inputTokens,
            outputTokens: usage.outputTokens + outputTokens,
          };
        },
      };
    },
  };
}

/**
 * The opening while the call rings; then what is said where the model itself is late or gone, which it cannot be asked
 * for any more by then.
 */
async function prepareLines(voice: ReturnType<typeof createRealtimeVoice>, plan: CallPlan): Promise<void> {
  const { lines, code } = plan.language;
  const sentences = (...texts: string[]) => texts.flatMap((text) => splitSentences(text, code));
  await voice.prepare(sentences(plan.prompt.opening));
  const fixed = [
    lines.filler.first,
    lines.filler.second,
    lines.reprompt[plan.prompt.card.tone],
    lines.sayAgain,
    lines.closing.failed,
    lines.failedHandover,
  ];
  await voice.prepare(sentences(...fixed));
}
