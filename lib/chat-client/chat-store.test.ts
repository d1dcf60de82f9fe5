import { expect, test } from 'vitest';
import { type ChatTransport, createChatStore } from './chat-store.ts';

const greeting = { seq: 1, from: 'agent' as const, text: 'Hello, how can I help?' };
const answer = { seq: 3, from: 'agent' as const, text: 'We are open.' };

/** A service that knows one chat, and answers one message. */
function transport(): ChatTransport {
  return {
    start: () =>
      Promise.resolve({
        conversationId: 'cnv_1',
        status: 'open',
        isAnswering: false,
        messages: [greeting],
        lastMessageId: null,
      }),
    read: () => Promise.resolve(undefined),
    async send({ text }) {
      return (async function* () {
        yield { type: 'message', message: { seq: 2, from: 'person', text } };
        yield { type: 'answer', message: answer, status: 'open' };
      })();
    },
    end: () => Promise.resolve(),
  };
}

test.each([
  ['was not known before the first message', undefined],
  ['stood there before the first message', greeting.text],
])('the first message stands once, behind the greeting, which %s', async (_, known) => {
  const store = createChatStore(transport(), known);
  const seen: string[][] = [];
  store.subscribe(() => seen.push(store.view().messages.map(({ text }) => text)));
  await store.send('Are you open?');
  expect(seen.at(-1)).toEqual([greeting.text, 'Are you open?', answer.text]);
  expect(seen.every((texts) => texts.filter((text) => text === 'Are you open?').length < 2)).toBe(true);
});
