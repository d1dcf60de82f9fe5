import { describe, expect, it } from 'vitest';
import type { CallPlan, KnowledgeHit } from '#lib/engine/plan.ts';
import { planForTest, silentLog } from '#lib/engine/testing.ts';
import type { Finish, Outcome } from '#lib/engine/tools/tool.ts';
import { createToolExecutor } from '#lib/engine/tools/tool-executor.ts';
import type { ChatMessage, LanguageModel, ModelEvent } from '#lib/ports/language-model.ts';
import { createModelBrain } from './model-brain.ts';

type Request = { instructions: string; messages: ChatMessage[]; tools: string[] };
type Answer = ModelEvent[] | Error | ((signal: AbortSignal | undefined) => AsyncIterable<ModelEvent>);

const text = (delta: string): ModelEvent => ({ type: 'text', delta });
const done: ModelEvent = { type: 'done', usage: { inputTokens: 100, outputTokens: 10 } };
const use = (name: string, args: unknown, id = name): ModelEvent => ({
  type: 'tool_call',
  id,
  name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
});

/** A language model that gives prepared answers and keeps what it was asked. */
function createModel(...answers: Answer[]) {
  const requests: Request[] = [];
  const model: LanguageModel = {
    model: 'double',
    async *respond({ instructions, messages, tools, signal }) {
      requests.push({
        instructions,
        messages: structuredClone(messages),
        tools: tools.map((tool) => tool.name),
      });
      const answer = answers[Math.min(requests.length, answers.length) - 1] ?? [];
      if (answer instanceof Error) throw answer;
      yield* typeof answer === 'function' ? answer(signal) : answer;
    },
    completeJson: () => Promise.reject(new Error('unused')),
  };
  return { model, requests };
}

function createBrain(
  model: LanguageModel,
  changes: Parameters<typeof planForTest>[0] = {},
  hits: KnowledgeHit[] = [],
) {
  const plan: CallPlan = planForTest({ hasKnowledge: true, ...changes });
  const outcome: Outcome = { appointment: null, callback: null };
  const uses: { name: string; arguments: unknown; result: Record<string, unknown> }[] = [];
  const finishes: Finish[] = [];
  const tools = createToolExecutor({
    plan,
    now: () => plan.startedAt,
    searchKnowledge: async () => hits,
    outcome,
    elapsedMs: () => 0,
    store: (record) =>
      void uses.push({ name: record.name, arguments: record.arguments, result: record.result }),
    log: silentLog,
  });
  const brain = createModelBrain({ plan, model, tools, log: silentLog });
  async function hear(
    heard: string,
    options: { abort?: AbortController; heardAs?: (said: string[]) => string } = {},
  ) {
    const said: string[] = [];
    const signal = options.abort?.signal ?? new AbortController().signal;
    const useTool = (name: string, args: unknown) => tools.use(name, args, (finish) => finishes.push(finish));
    try {
      for await (const piece of brain.respond({ heard, signal, useTool })) said.push(piece);
    } finally {
      brain.noteAgentSaid(options.heardAs ? options.heardAs(said) : said.join(' '));
    }
    return said;
  }
  return { brain, hear, uses, finishes, outcome };
}

describe('the language model brain', () => {
  it('speaks sentence by sentence, without markdown', async () => {
    const { model } = createModel([
      text('**Hello'),
      text(' Anna.** I am calling'),
      text(' about Dr. Weber at 3.30 p.m. today.\n\n- Is'),
      text(' that fine? 😀'),
      done,
    ]);
    expect(await createBrain(model).hear('Hi')).toEqual([
      'Hello Anna.',
      'I am calling about Dr. Weber at 3.30 p.m. today.',
      'Is that fine?',
    ]);
  });

  it('sends the instructions with the moment of the call, the history and the tools that are allowed', async () => {
    const { model, requests } = createModel([text('Good day.'), done]);
    const { hear, brain } = createBrain(model, {
      hasCallTransfer: false,
      disabledToolNames: ['book_appointment'],
      prompt: { instructions: 'You are Mia.' },
    });
    brain.noteAgentSaid('Hello Anna, this is Mia.');
    await hear('Who?');
    await hear('Okay.');
    expect(requests[0]?.instructions).toBe(
      'You are Mia.\n\nThe call began on Monday, March 2, 2026 at 10:00 AM (time zone Europe/Berlin).',
    );
    expect(requests[0]?.tools).toEqual(['end_call', 'search_knowledge', 'schedule_callback']);
    expect(requests[1]?.messages).toEqual([
      { role: 'assistant', content: 'Hello Anna, this is Mia.' },
      { role: 'user', content: 'Who?' },
      { role: 'assistant', content: 'Good day.' },
      { role: 'user', content: 'Okay.' },
    ]);
  });

  it('uses tools, answers from their results, and counts all tokens', async () => {
    const hit = { text: 'Parking is free.', score: 0.9, documentName: 'faq', location: '1' };
    const { model, requests } = createModel(
      [text('Let me look. '), use('search_knowledge', { query: 'parking' }), done],
      [text('Parking is free.'), done],
    );
    const { hear, uses, brain } = createBrain(model, {}, [hit]);
    expect(await hear('Can I park?')).toEqual(['Let me look.', 'Parking is free.']);
    expect(uses).toMatchObject([
      { name: 'search_knowledge', arguments: { query: 'parking' }, result: { results: [hit] } },
    ]);
    expect(requests[1]?.messages.slice(1)).toMatchObject([
      {
        role: 'assistant',
        content: 'Let me look.',
        toolCalls: [{ id: 'search_knowledge', name: 'search_knowledge' }],
      },
      { role: 'tool', toolCallId: 'search_knowledge', content: expect.stringContaining('Parking is free.') },
    ]);
    expect(brain.usage).toEqual({ inputTokens: 200, outputTokens: 20 });
  });

  it('ends the call after the words of the same reply', async () => {
    const { model, requests } = createModel([
      text('Thank you, goodbye.'),
      use('end_call', { reason: 'done' }),
      done,
    ]);
    const { hear, finishes } = createBrain(model);
    expect(await hear('Bye')).toEqual(['Thank you, goodbye.']);
    expect(finishes).toEqual([{ kind: 'hang_up', reason: 'done' }]);
    expect(requests).toHaveLength(1);
  });

  it('ends the call although the model gives no reason for it', async () => {
    const { model, requests } = createModel([text('Goodbye.'), use('end_call', {}), done]);
    const { hear, finishes } = createBrain(model);
    expect(await hear('Bye')).toEqual(['Goodbye.']);
    expect(finishes).toEqual([{ kind: 'hang_up', reason: '' }]);
    expect(requests).toHaveLength(1);
  });

  it('tells the model what was wrong with its arguments', async () => {
    const { model, requests } = createModel(
      [
        use('book_appointment', '{"date": oops', 'a'),
        use('book_appointment', { date: 'Tuesday', time: '3 pm', topic: '' }, 'b'),
        use('fly', {}, 'c'),
        done,
      ],
      [text('Which day, please?'), done],
    );
    const { hear, outcome } = createBrain(model);
    expect(await hear('Tuesday at 3')).toEqual(['Which day, please?']);
    const results =
      requests[1]?.messages.filter((message) => message.role === 'tool').map((message) => message.content) ??
      [];
    expect(results[0]).toContain('not valid JSON');
    expect(results[1]).toContain('date: must look like 2026-03-24');
    expect(results[2]).toContain('no tool named fly');
    expect(outcome.appointment).toBeNull();
  });

  it('books only what lies in the future, in the time zone of the business', async () => {
    const { model } = createModel(
      [
        use('book_appointment', { date: '2026-03-01', time: '10:00', topic: 'x' }, 'past'),
        use('book_appointment', { date: '2026-03-10', time: '15:00', topic: 'check-up' }, 'good'),
        done,
      ],
      [text('Booked.'), done],
    );
    const { hear, uses, outcome } = createBrain(model);
    await hear('Tuesday then');
    expect(uses.map((record) => record.result.ok)).toEqual([false, true]);
    expect(outcome.appointment).toEqual({
      startsAt: '2026-03-10T14:00:00.000Z',
      timeZone: 'Europe/Berlin',
      spoken: 'Tuesday, March 10 at 3 PM',
    });
  });

  it('does not let a model use tools without end', async () => {
    const { model, requests } = createModel([use('search_knowledge', { query: 'again' }), done]);
    await createBrain(model).hear('Hm?');
    expect(requests.map((request) => request.tools.length > 0)).toEqual([true, true, true, true, false]);
  });

  it('apologises and tries once more when the provider fails, then gives up', async () => {
    const recovering = createModel(new Error('overloaded'), [text('Here I am.'), done]);
    expect(await createBrain(recovering.model).hear('Hello')).toEqual([
      "I'm sorry, one moment please.",
      'Here I am.',
    ]);
    const broken = createModel(
      async function* () {
        yield text('We are open. And on Sun');
        throw new Error('broke off');
      },
      [text('On Sundays we are closed.'), done],
    );
    expect(await createBrain(broken.model).hear('Hello')).toEqual([
      'We are open.',
      'On Sundays we are closed.',
    ]);
    expect(broken.requests[1]?.messages.slice(-2)).toMatchObject([
      { role: 'assistant', content: 'We are open.' },
      { role: 'user' },
    ]);
    const failing = createModel(new Error('overloaded'));
    await expect(createBrain(failing.model).hear('Hello')).rejects.toThrow('overloaded');
    expect(failing.requests).toHaveLength(2);
  });

  it('keeps only what was heard when it was interrupted, and what its tools did', async () => {
    const abort = new AbortController();
    const { model, requests } = createModel(
      [use('schedule_callback', { when: 'later', topic: 'x' }), done],
      async function* (signal) {
        yield text('I will call you. ');
        abort.abort(new Error('interrupted'));
        signal?.throwIfAborted();
        yield text('Never heard.');
      },
      [text('Sure.'), done],
    );
    const { hear } = createBrain(model);
    await expect(hear('Call me later', { abort, heardAs: () => 'I will' })).rejects.toThrow('interrupted');
    await hear('Wait, one thing');
    expect(requests[2]?.messages).toMatchObject([
      { role: 'user', content: 'Call me later' },
      { role: 'assistant', content: '', toolCalls: [{ name: 'schedule_callback' }] },
      { role: 'tool' },
      { role: 'assistant', content: 'I will' },
      { role: 'user', content: 'Wait, one thing' },
    ]);
  });
});
