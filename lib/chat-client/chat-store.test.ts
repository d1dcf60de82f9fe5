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

test('what was done stands below the message that it was done for, also after a reload', async () => {
  const at = (second: number) => `2026-03-02T09:00:0${second}.000Z`;
  const use = (seq: number, second: number) => ({
    seq,
    name: 'search_knowledge',
    arguments: {},
    result: {},
    at: at(second),
  });
  const snapshot = {
    conversationId: 'cnv_1',
    status: 'open' as const,
    isAnswering: false,
    messages: [
      { ...greeting, at: at(0) },
      { seq: 2, from: 'person' as const, text: 'Are you open?', at: at(1) },
      { ...answer, at: at(3) },
      { seq: 4, from: 'person' as const, text: 'And on Sunday?', at: at(5) },
      { seq: 5, from: 'agent' as const, text: 'No.', at: at(7) },
    ],
    lastMessageId: null,
    toolUses: [use(1, 1), use(2, 2), use(3, 6)],
  };
  const store = createChatStore({ ...transport(), read: () => Promise.resolve(snapshot) });
  await store.resume();
  expect(store.view().toolUses.map(({ seq, afterSeq }) => [seq, afterSeq])).toEqual([
    [1, 2],
    [2, 2],
    [3, 4],
  ]);
});

test('a message that could not be sent offline is sent once the network is back', async () => {
  const online = transport();
  let isOnline = false;
  const store = createChatStore({
    ...online,
    send: (message) => (isOnline ? online.send(message) : Promise.reject(new TypeError('Failed to fetch'))),
  });
  await store.send('Are you open?');
  expect(store.view().problem).toEqual({ kind: 'offline' });
  isOnline = true;
  await store.reconnect();
  expect(store.view()).toMatchObject({ problem: null, isAnswering: false });
  expect(store.view().messages.at(-1)?.text).toBe(answer.text);
});

test('a page that was loaded offline shows its chat once the network is back', async () => {
  const messages = [greeting, { seq: 2, from: 'person' as const, text: 'Are you open?' }, answer];
  let isOnline = false;
  const store = createChatStore({
    ...transport(),
    read: () =>
      isOnline
        ? Promise.resolve({
            conversationId: 'cnv_1',
            status: 'open' as const,
            isAnswering: false,
            messages,
            lastMessageId: null,
          })
        : Promise.reject(new TypeError('Failed to fetch')),
  });
  await store.resume();
  expect(store.view().problem).toEqual({ kind: 'offline' });
  isOnline = true;
  await store.reconnect();
  expect(store.view()).toMatchObject({ problem: null, messages });
});
