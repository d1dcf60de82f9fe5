import { eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chats as chatRows } from '#db/schema/chats.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { addWorkspace } from '#lib/auth/testing.ts';
import { setRuntime } from '#lib/current-runtime.ts';
import { buildRuntime, type Runtime } from '#lib/runtime.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { ChatState } from './contract.ts';
import { endOverdueChats } from './jobs.ts';
import { CHAT_LIMITS } from './rules.ts';
import { allEvents, scriptedModel, type Scripted, type ScriptedModel, textOf } from './testing.ts';

let runtime: TestRuntime;
let actor: Actor;
let stranger: Actor;
/** Time goes on by itself, and by as much as a test adds. */
let addedMs = 0;
const clock: Clock = {
  now: () => new Date(Date.now() + addedMs),
  sleep: (ms, signal) => runtime.clock.sleep(ms, signal),
};
let lastMessage = 0;
const message = (text: string, id = `message-${(lastMessage += 1)}`) => ({ id, text });

beforeAll(async () => {
  runtime = await startTestRuntime();
  actor = await addWorkspace(runtime, 'ws_chat');
  stranger = await addWorkspace(runtime, 'ws_other');
});
afterAll(() => runtime.close());

/** The same service in another process: the same database, and nothing in memory. */
function process(
  overrides: Partial<Pick<Runtime, 'env'>> & {
    languageModel?: ScriptedModel;
    fallbackModel?: ScriptedModel;
  } = {},
): Runtime {
  const built = buildRuntime({ ...runtime, clock, ...overrides });
  setRuntime(built);
  return built;
}

async function addAgent(chatPrompt: string | null, settings: Record<string, unknown> = {}): Promise<string> {
  const { id } = await runtime.agents.create(actor, {
    name: 'Front desk',
    inboundPrompt: 'You are Mia from Alpha Dental. Greet callers with: "Thank you for calling Alpha Dental."',
  });
  if (chatPrompt !== null) await runtime.agents.setChatPrompt(actor, id, { chatPrompt });
  await runtime.agents.updateSettings(actor, id, settings);
  return id;
}

async function withModel(scripts: Scripted[], chatPrompt: string | null = 'You are Mia from Alpha Dental.') {
  const languageModel = scriptedModel(scripts);
  const service = process({ languageModel });
  const chat = await service.chats.create(actor, await addAgent(chatPrompt), {});
  const send = async (text: string, id?: string) =>
    allEvents(await service.chats.send(actor, chat.conversationId, message(text, id)));
  return { ...service, model: languageModel, chat, id: chat.conversationId, send };
}

async function ended(service: Runtime, chat: ChatState) {
  await service.chats.settled();
  return service.conversations.getCall(actor, chat.conversationId);
}

describe('the prompt of a chat', () => {
  it('is the chat prompt, with the card of the agent, rules for writing and the time', async () => {
    const { model, send, chat } = await withModel(
      [['Yes.']],
      'You are Ada, you chat for {{place}}. Greet visitors with: "Hi, what can I do for you?"',
    );
    expect(chat.messages).toMatchObject([{ from: 'agent', text: 'Hi, what can I do for you?' }]);
    await send('Are you open?');
    const [{ instructions, messages, tools } = { instructions: '', messages: [], tools: [] }] = model.asked;
    expect(instructions).toContain('you chat for <var name="place"></var>');
    expect(instructions).toContain('Write as people write in a chat');
    expect(instructions).not.toContain('spoken aloud');
    expect(instructions).not.toContain('You are Mia');
    expect(instructions).toMatch(/It is \w+, .* \(time zone /);
    expect(messages).toEqual([
      { role: 'assistant', content: 'Hi, what can I do for you?' },
      { role: 'user', content: 'Are you open?' },
    ]);
    expect(tools).toEqual(['end_call', 'schedule_callback', 'book_appointment']);
  });

  it('is the inbound one where there is no chat prompt, without its thanks for a call', async () => {
    const { model, send, chat } = await withModel([['Yes.']], null);
    expect(chat.messages[0]?.text).toBe('Hello, this is Mia from Alpha Dental. How can I help you?');
    await send('Hello');
    expect(model.asked[0]?.instructions).toContain('You are Mia from Alpha Dental');
  });

  it('opens in the language of the agent', async () => {
    const service = process({ languageModel: scriptedModel([['Ja.']]) });
    const agentId = await addAgent(null, { hasLanguage: true, language: 'de-DE' });
    const chat = await service.chats.create(actor, agentId, {});
    expect(chat.messages[0]?.text).toBe(
      'Guten Tag, hier ist Mia von Alpha Dental. Wie kann ich Ihnen helfen?',
    );
  });

  it('stays as it was when the chat began', async () => {
    const { agents, model, send, chat } = await withModel([['Yes.']], 'You sell apples.');
    await agents.setChatPrompt(actor, chat.agentId, { chatPrompt: 'You sell pears.' });
    await send('What do you sell?');
    expect(model.asked[0]?.instructions).toContain('You sell apples.');
  });
});

describe('a message', () => {
  it('is answered as the model writes, Markdown and all, and both are kept', async () => {
    const { send, chats, id } = await withModel([['See [our page](https://a.example/x),\n', '- one\n- two']]);
    const events = await send('What is there?');
    expect(events.map(({ type }) => type)).toEqual(['message', 'text', 'text', 'answer']);
    expect(textOf(events)).toBe('See [our page](https://a.example/x),\n- one\n- two');
    expect((await chats.get(actor, id)).messages.map(({ from, text }) => [from, text])).toEqual([
      ['agent', expect.any(String)],
      ['person', 'What is there?'],
      ['agent', 'See [our page](https://a.example/x),\n- one\n- two'],
    ]);
  });

  it('is answered once, however often it is sent', async () => {
    const { send, chats, id, model } = await withModel([['One.'], ['Two.']]);
    const first = await send('Hello?', 'the-same-one');
    const again = await send('Hello?', 'the-same-one');
    expect(again).toEqual([first[0], first.at(-1)]);
    expect(model.asked).toHaveLength(1);
    expect((await chats.get(actor, id)).messages).toHaveLength(3);
  });

  it('is made to its end and kept where nobody listens any more', async () => {
    const { chats, id } = await withModel([['A long', ' answer.']]);
    const events = await chats.send(actor, id, message('Tell me'));
    for await (const event of events) if (event.type === 'message') break;
    await expect.poll(async () => (await chats.get(actor, id)).messages.at(-1)?.text).toBe('A long answer.');
    expect((await chats.get(actor, id)).isAnswering).toBe(false);
  });

  it('waits for no other process, and two are not answered at once', async () => {
    const goOn = Promise.withResolvers<void>();
    const slow = scriptedModel([]);
    slow.respond = async function* () {
      await goOn.promise;
      yield { type: 'text', delta: 'Slow.' };
      yield { type: 'done', usage: undefined };
    };
    const { chats } = process({ languageModel: slow });
    const { conversationId: id } = await chats.create(actor, await addAgent('You are Mia.'), {});
    const other = process({ languageModel: scriptedModel([['Other.']]) });
    const first = await chats.send(actor, id, message('One'));
    await expect(other.chats.send(actor, id, message('Two'))).rejects.toMatchObject({
      code: 'INVALID_STATE',
    });
    goOn.resolve();
    await allEvents(first);
    const next = await allEvents(await other.chats.send(actor, id, message('Two')));
    expect(textOf(next)).toBe('Other.');
  });

  it('that lost its process is answered by another one when it is sent again', async () => {
    const dying = scriptedModel([]);
    dying.respond = async function* () {
      await new Promise(() => undefined);
      yield { type: 'done', usage: undefined };
    };
    const dead = process({ languageModel: dying });
    const chat = await dead.chats.create(actor, await addAgent('You are Mia.'), {});
    const sent = message('Are you there?');
    void dead.chats.send(actor, chat.conversationId, sent);
    await expect.poll(async () => (await dead.chats.get(actor, chat.conversationId)).isAnswering).toBe(true);
    // Its process is gone: nobody extends the lease any more.
    await dead.chats.stop();
    addedMs += 60_000;
    const alive = process({ languageModel: scriptedModel([['Here I am.']]) });
    const events = await allEvents(await alive.chats.send(actor, chat.conversationId, sent));
    expect(textOf(events)).toBe('Here I am.');
    expect((await alive.chats.get(actor, chat.conversationId)).messages).toHaveLength(3);
  });
});

describe('tools in a chat', () => {
  it('book what they book on calls, are kept and told, and the chat goes on by what they gave', async () => {
    const { send, model, chat, conversations, chats } = await withModel([
      { tool: 'book_appointment', arguments: { date: '2999-03-04', time: '15:30' }, text: 'A moment.' },
      ['Booked.'],
      ['Goodbye.'],
    ]);
    const events = await send('Book me for 4 March');
    expect(events.map(({ type }) => type)).toEqual(['message', 'text', 'tool', 'text', 'text', 'answer']);
    expect(textOf(events)).toBe('A moment.\n\nBooked.');
    await send('Thanks');
    expect(model.asked.at(-1)?.messages.map(({ role }) => role)).toEqual([
      'assistant',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    await chats.end(actor, chat.conversationId);
    await chats.settled();
    const call = await conversations.getCall(actor, chat.conversationId);
    expect(call).toMatchObject({
      channel: 'chat',
      disposition: 'APPOINTMENT_BOOKED',
      tags: ['appointment_booked'],
      appointment: { startsAt: expect.stringContaining('2999-03-04') },
      status: 'ended',
    });
  });

  it('never offer a transfer, which nobody could take', async () => {
    const languageModel = scriptedModel([['No.']]);
    const service = process({ languageModel });
    const agentId = await addAgent('You are Mia.', {
      hasCallTransfer: true,
      inboundTransferNumber: '+15550100009',
    });
    const chat = await service.chats.create(actor, agentId, {});
    await allEvents(await service.chats.send(actor, chat.conversationId, message('A human, please')));
    expect(languageModel.asked[0]?.tools).not.toContain('transfer_call');
    expect(languageModel.asked[0]?.instructions).toContain(
      'use schedule_callback with their telephone number',
    );
  });

  it('end the chat with the goodbye, after which nothing is taken', async () => {
    const { send, chat, chats, id } = await withModel([
      { tool: 'end_call', arguments: { reason: 'the visitor said goodbye' }, text: 'Goodbye!' },
    ]);
    expect((await send('Bye')).at(-1)).toMatchObject({ type: 'answer', status: 'ended' });
    await expect(send('One more')).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await chats.settled();
    expect(await chats.get(actor, id)).toMatchObject({
      status: 'ended',
      endReason: 'The agent ended the chat: the visitor said goodbye.',
    });
    expect(chat.status).toBe('open');
  });
});

describe('the room of an agent', () => {
  it('is taken by writing in a chat, and visitors of a website take none from anybody else', async () => {
    const service = process({ languageModel: scriptedModel([['Yes.'], ['Yes.']]) });
    const agentId = await addAgent('You are Mia.');
    const visit = {
      agentId,
      variables: {},
      isTest: false,
      source: 'widget',
      origin: 'https://www.alpha.example',
      agentVersionId: null,
    } as const;
    const opened: string[] = [];
    for (let count = 0; count < CHAT_LIMITS.activeChatsPerAgent; count += 1)
      opened.push((await service.chats.start(actor, visit)).conversationId);
    const visitor = await service.chats.start(actor, visit);
    await allEvents(await service.chats.send(actor, visitor.conversationId, message('Hello')));

    await runtime.db
      .update(chatRows)
      .set({ messageCount: 1 })
      .where(inArray(chatRows.id, opened.slice(1)));
    const full = { code: 'RATE_LIMITED' };
    await expect(service.chats.start(actor, visit)).rejects.toMatchObject(full);
    await expect(
      service.chats.send(actor, opened[0] ?? '', message('I was here before')),
    ).rejects.toMatchObject(full);
    await allEvents(await service.chats.send(actor, visitor.conversationId, message('And one more thing')));
    const own = await service.chats.create(actor, agentId, {});
    expect(
      (await allEvents(await service.chats.send(actor, own.conversationId, message('Hi')))).at(-1),
    ).toMatchObject({
      type: 'answer',
    });
    await runtime.db.delete(chatRows).where(inArray(chatRows.id, opened));
  });
});

describe('a model that fails in a chat', () => {
  it('is tried again, then the fallback is asked, and the timeline tells of it', async () => {
    const languageModel = scriptedModel([{ fails: 'no_credit' }]);
    const fallbackModel = scriptedModel([['From the other one.']], 'second');
    const service = process({ languageModel, fallbackModel });
    const chat = await service.chats.create(actor, await addAgent('You are Mia.'), {});
    const events = await allEvents(await service.chats.send(actor, chat.conversationId, message('Hello')));
    expect(textOf(events)).toBe('From the other one.');
    await service.chats.end(actor, chat.conversationId);
    const call = await ended(service, chat);
    expect(call.events).toContainEqual(
      expect.objectContaining({ type: 'model_failed', data: expect.objectContaining({ kind: 'no_credit' }) }),
    );
    expect(await service.modelHealth.get(actor)).toMatchObject({ problem: { kind: 'no_credit' } });
  });

  it('leaves the message unanswered, and the same message asks once more', async () => {
    const { send, chats, id } = await withModel([{ fails: 'bad_key' }, ['Now I can.']]);
    const events = await send('Hello?', 'ask-me-twice');
    expect(events.at(-1)).toEqual({ type: 'failed', reason: 'bad_key' });
    expect((await chats.get(actor, id)).messages).toHaveLength(2);
    expect(textOf(await send('Hello?', 'ask-me-twice'))).toBe('Now I can.');
    expect((await chats.get(actor, id)).messages).toHaveLength(3);
  });
});

describe('a keyless chat', () => {
  const PROMPT =
    'You are Mia, you chat for Alpha Dental. You help with appointments and prices. A check-up costs 80 euros.';

  it('answers from the prompt, books, asks how somebody can be reached, and remembers over processes', async () => {
    const first = process();
    const chat = await first.chats.create(actor, await addAgent(PROMPT), {});
    const ask = async (service: Runtime, text: string) =>
      textOf(await allEvents(await service.chats.send(actor, chat.conversationId, message(text))));
    expect(await ask(first, 'How much is a check-up?')).toContain('80');
    const promised = await ask(process(), 'Can somebody call me back, please?');
    const settled = promised.includes('reach you') ? promised : await ask(process(), 'Tomorrow morning');
    expect(settled).toContain('Which telephone number or e-mail address can we reach you at?');
    expect(await ask(process(), 'It is ann@example.com')).toContain('ann@example.com');
    const last = process();
    await last.chats.end(actor, chat.conversationId);
    expect(await ended(last, chat)).toMatchObject({
      disposition: 'SCHEDULED_CALLBACK',
      callback: { contact: 'ann@example.com' },
    });
  });

  it('is refused for an agent of another language, with a sentence that says why', async () => {
    const agentId = await addAgent(
      'Du bist Mia und hilfst mit Terminen. Sie ist für das Haus und die Kunden da.',
    );
    await expect(process().chats.create(actor, agentId, {})).rejects.toMatchObject({
      code: 'INVALID_STATE',
      message: expect.stringContaining('German'),
    });
  });
});

describe('the conversation of a chat', () => {
  it('is in no list of the API unless chats are asked for, and says there that it is one', async () => {
    const { send, chats, conversations, chat, id } = await withModel([['Yes.']]);
    await send('Are you open?');
    await chats.end(actor, id);
    await ended({ chats, conversations } as Runtime, chat);
    const list = async (more: object) =>
      (
        await conversations.list(actor, {
          limit: 100,
          skip: 0,
          include_tests: false,
          include_chats: false,
          ...more,
        })
      )
        .parse()
        .filter((found) => found.id === id);
    expect(await list({})).toEqual([]);
    expect(await list({ include_chats: true })).toMatchObject([
      {
        id,
        channel: 'chat',
        humanPhoneNumber: 'browser',
        transcript: expect.stringContaining('Human: Are you open?'),
      },
    ]);
  });

  it('of a test is in the list only where tests are asked for, too', async () => {
    const service = process({ languageModel: scriptedModel([['Yes.']]) });
    const chat = await service.chats.create(actor, await addAgent('You are Mia.'), { isTest: true });
    await service.chats.end(actor, chat.conversationId);
    await ended(service, chat);
    const list = async (include_tests: boolean) =>
      service.conversations.list(actor, { limit: 100, skip: 0, include_tests, include_chats: true });
    const ids = async (tests: boolean) => (await list(tests)).parse().map(({ id }) => id);
    expect(await ids(false)).not.toContain(chat.conversationId);
    expect(await ids(true)).toContain(chat.conversationId);
  });

  it('costs its tokens and no line, uses no minutes, and sends no webhook', async () => {
    const service = process({ languageModel: scriptedModel([['Yes.']]) });
    const agentId = await addAgent('You are Mia.', { hasPostConversationWebhook: true });
    const before = await service.workspaces.usage(actor);
    const chat = await service.chats.create(actor, agentId, {});
    await allEvents(await service.chats.send(actor, chat.conversationId, message('Open?')));
    await service.chats.end(actor, chat.conversationId);
    expect(await ended(service, chat)).toMatchObject({
      costBreakdown: { carrierCents: 0, speechCents: 0 },
      webhook: null,
    });
    expect(await service.workspaces.usage(actor)).toEqual(before);
  });

  it("is nobody's but its workspace's", async () => {
    const { chats, id } = await withModel([['Yes.']]);
    await expect(chats.get(stranger, id)).rejects.toMatchObject({ status: 403 });
    await expect(chats.send(stranger, id, message('Hi'))).rejects.toMatchObject({ status: 403 });
    await expect(chats.end(stranger, id)).rejects.toMatchObject({ status: 403 });
    await expect(chats.get(actor, 'cnv_none')).rejects.toMatchObject({ status: 404 });
  });
});

describe('a chat ends', () => {
  it('by itself when nobody writes any more, and not before', async () => {
    const { send, chats, id, chat, ...service } = await withModel([['Yes.']]);
    await send('Open?');
    await endOverdueChats({ db: runtime.db, clock }, chats);
    expect((await chats.get(actor, id)).status).toBe('open');
    addedMs += CHAT_LIMITS.idleMs + 1_000;
    await endOverdueChats({ db: runtime.db, clock }, chats);
    const call = await ended({ chats, ...service } as Runtime, chat);
    expect(call).toMatchObject({ status: 'ended', endReason: 'The visitor wrote nothing more.' });
    // Of the time in which somebody wrote, not of the wait.
    expect(call.durationSeconds).toBeLessThan(60);
  });

  it('with the answer to its last message', async () => {
    const { send, id, chats } = await withModel([['Yes.']]);
    await runtime.db
      .update(chatRows)
      .set({ messageCount: CHAT_LIMITS.messages - 2 })
      .where(eq(chatRows.id, id));
    expect((await send('The last but one')).at(-1)).toMatchObject({ status: 'open' });
    expect((await send('The last one')).at(-1)).toMatchObject({ type: 'answer', status: 'ended' });
    expect(await chats.get(actor, id)).toMatchObject({ endReason: 'The chat reached its maximum length.' });
  });

  it('with the answer that has used the tokens of a chat', async () => {
    const { send, id, chats } = await withModel([['Yes.']]);
    const spend = (tokens: number) =>
      runtime.db.update(chatRows).set({ inputTokens: tokens }).where(eq(chatRows.id, id));
    await spend(CHAT_LIMITS.tokens - 300);
    expect((await send('Short')).at(-1)).toMatchObject({ status: 'open' });
    await spend(CHAT_LIMITS.tokens - 100);
    expect((await send('The last one')).at(-1)).toMatchObject({ type: 'answer', status: 'ended' });
    expect(await chats.get(actor, id)).toMatchObject({ endReason: 'The chat reached its maximum length.' });
  });

  it('not at all where the workspace has used its tokens of the day: no model is asked', async () => {
    const model = scriptedModel([['Yes.']]);
    const service = process({ languageModel: model, env: { ...runtime.env, chatTokensPerDay: 150 } });
    const agentId = await addAgent('You are Mia.');
    // Other tests' chats: of another day.
    await runtime.db.update(chatRows).set({ createdAt: new Date(0) });
    const next = await service.chats.create(actor, agentId, {});
    await allEvents(await service.chats.send(actor, next.conversationId, message('Hello')));
    await allEvents(await service.chats.send(actor, next.conversationId, message('Hello again')));
    const asked = model.asked.length;
    await expect(service.chats.send(actor, next.conversationId, message('And again'))).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
    await expect(service.chats.create(actor, agentId, {})).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(model.asked).toHaveLength(asked);
  });

  it('while an answer is being written, and the answer with it', async () => {
    const slow = scriptedModel([]);
    slow.respond = async function* ({ signal }) {
      yield { type: 'text', delta: 'Well, ' };
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    };
    const service = process({ languageModel: slow });
    const chat = await service.chats.create(actor, await addAgent('You are Mia.'), {});
    const events = await service.chats.send(actor, chat.conversationId, message('Hello'));
    const all: string[] = [];
    for await (const event of events) {
      all.push(event.type);
      if (event.type === 'text') await service.chats.end(actor, chat.conversationId);
    }
    expect(all).toEqual(['message', 'text', 'ended']);
    expect((await service.chats.get(actor, chat.conversationId)).messages).toHaveLength(2);
  });
});
