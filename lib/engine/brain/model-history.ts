import type { ChatMessage } from '#lib/ports/language-model.ts';

/** To the model, after its answer broke off in the middle. */
const GO_ON = '[Your answer broke off here. Go on from there without repeating anything.]';

export type ModelHistory = ReturnType<typeof createModelHistory>;

/** What a language model is told of the call so far: what was heard, not what was meant to be said. */
export function createModelHistory() {
  const messages: ChatMessage[] = [];
  const unconfirmed: ChatMessage[] = [];

  /** What was meant to be said beside a tool is in the history until it is known what was heard of the reply. */
  function forgetUnheard(): void {
    for (const message of unconfirmed.splice(0)) message.content = '';
  }

  return {
    /** The messages so far, with what the person just said, and what was said of an answer that broke off. */
    with(heard: string | undefined, said: readonly string[]): ChatMessage[] {
      return [
        ...(heard === undefined ? messages : addHeard(messages, heard)),
        ...(said.length === 0
          ? []
          : ([
              { role: 'assistant', content: said.join(' ') },
              { role: 'user', content: GO_ON },
            ] satisfies ChatMessage[])),
      ];
    },
    hear(heard: string): void {
      messages.splice(0, messages.length, ...addHeard(messages, heard));
    },
    say(text: string): void {
      forgetUnheard();
      if (text !== '') messages.push({ role: 'assistant', content: text });
    },
    note(content: string): void {
      messages.push({ role: 'user', content });
    },
    /** Tools that were used stay at once: what they did holds even when the reply is interrupted. */
    keepToolUse(used: readonly ChatMessage[]): void {
      for (const message of used) {
        messages.push(message);
        if (message.role === 'assistant') unconfirmed.push(message);
      }
    },
    forgetUnheard,
  };
}

/** Two turns of the person in a row become one; an answer given up before it was heard is asked for anew with all of it. */
function addHeard(messages: readonly ChatMessage[], heard: string): ChatMessage[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', content: heard }];
  const content = heard.startsWith(last.content) ? heard : `${last.content}\n${heard}`;
  return [...messages.slice(0, -1), { role: 'user', content }];
}
