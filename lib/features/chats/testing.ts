import { AppError } from '#lib/errors.ts';
import type { ChatMessage, LanguageModel, ModelEvent } from '#lib/ports/language-model.ts';
import type { ChatEvent } from './contract.ts';

/** One answer of a scripted model: text in pieces, a tool, or a failure of the provider. */
export type Scripted = string[] | { tool: string; arguments?: object; text?: string } | { fails: string };

export type ScriptedModel = LanguageModel & {
  asked: { instructions: string; messages: ChatMessage[]; tools: string[] }[];
};

/** A language model that answers what a test wants, one script after the other; the last one stays. */
export function scriptedModel(scripts: Scripted[], model = 'scripted'): ScriptedModel {
  const asked: ScriptedModel['asked'] = [];
  async function* answer(script: Scripted): AsyncGenerator<ModelEvent> {
    if ('fails' in script)
      throw new AppError('PROVIDER_FAILED', script.fails, { details: { kind: script.fails } });
    if (Array.isArray(script)) for (const delta of script) yield { type: 'text', delta };
    else {
      if (script.text) yield { type: 'text', delta: script.text };
      const args = JSON.stringify(script.arguments ?? {});
      yield { type: 'tool_call', id: `call_${asked.length}`, name: script.tool, arguments: args };
    }
    yield { type: 'done', usage: { inputTokens: 100, outputTokens: 10 } };
  }
  return {
    model,
    asked,
    respond({ instructions, messages, tools }) {
      asked.push({ instructions, messages: structuredClone(messages), tools: tools.map(({ name }) => name) });
      return answer(scripts[Math.min(asked.length, scripts.length) - 1] ?? ['…']);
    },
    completeJson: () => Promise.reject(new Error('no analysis')),
  };
}

/** Everything that a message's stream tells, once it is complete. */
export async function allEvents(events: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const all: ChatEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** The words of an answer as they came. */
export function textOf(events: readonly ChatEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}
