import { AppError } from '#lib/errors.ts';
import type { TestCallClock } from '#lib/ports/call-clock-testing.ts';
import type { LanguageModel, ModelEvent } from '#lib/ports/language-model.ts';

export type ModelAnswer =
  | string
  | {
      /** Before the first word. */
      afterMs?: number;
      /** Between two words. */
      everyMs?: number;
      text?: string;
      tool?: { name: string; arguments: Record<string, unknown> };
      fails?: string;
      /** Fails after the text. */
      breaksOff?: boolean;
      hangs?: boolean;
      finish?: 'length' | 'filtered';
    };
/** A language model that answers by a script; `asked` gets the person's last words. */
export function scriptedModel(options: {
  clock: TestCallClock;
  asked: string[];
  name: string;
  answer: (heard: string, turn: number) => ModelAnswer;
}): LanguageModel {
  const { clock, asked, name } = options;
  let turn = 0;
  return {
    model: name,
    async *respond({ messages, signal }): AsyncGenerator<ModelEvent> {
      const heard = messages.findLast(({ role }) => role === 'user')?.content ?? '';
      asked.push(heard);
      const given = options.answer(heard, turn++);
      const answer = typeof given === 'string' ? { text: given } : given;
      if (answer.hangs) await clock.sleep(10 * 60_000, signal);
      await clock.sleep(answer.afterMs ?? 200, signal);
      if (answer.fails)
        throw new AppError('PROVIDER_FAILED', 'The model is not there.', { details: { kind: answer.fails } });
      for (const delta of (answer.text ?? '').match(/\S+\s*/g) ?? []) {
        if (answer.everyMs) await clock.sleep(answer.everyMs, signal);
        yield { type: 'text', delta };
      }
      if (answer.breaksOff)
        throw new AppError('PROVIDER_FAILED', 'The model broke off.', { details: { kind: 'broke_off' } });
      if (answer.tool)
        yield {
          type: 'tool_call',
          id: `call_${turn}`,
          name: answer.tool.name,
          arguments: JSON.stringify(answer.tool.arguments),
        };
      yield {
        type: 'done',
        usage: { inputTokens: 10, outputTokens: 5 },
        ...(answer.finish ? { finish: answer.finish } : {}),
      };
    },
    completeJson: () => Promise.reject(new Error('nothing is analysed here')),
  };
}
