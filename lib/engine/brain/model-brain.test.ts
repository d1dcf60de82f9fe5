import { describe, expect, it } from 'vitest';
import type { CallPlan, KnowledgeHit } from '#lib/engine/plan.ts';
import { planForTest, silentLog, noWorkspaceTool } from '#lib/engine/testing.ts';
import type { Finish, Outcome } from '#lib/engine/tools/tool.ts';
import { createToolExecutor } from '#lib/engine/tools/tool-executor.ts';
import type { ChatMessage, LanguageModel, ModelEvent } from '#lib/ports/language-model.ts';
import { createCallClock } from '#lib/adapters/carriers/simulated/call-clock.ts';
import { AppError } from '#lib/errors.ts';
import { de } from '#lib/engine/languages/de.ts';
import { manualClock } from '#lib/ports/testing.ts';
import type { AttemptFailure } from './model-attempts.ts';
import { createModelBrain } from './model-brain.ts';

type Request = { instructions: string; messages: ChatMessage[]; tools: string[] };
type Answer = ModelEvent[] | Error | ((signal: AbortSignal | undefined) => AsyncIterable<ModelEvent>);

const text = (delta: string): ModelEvent => ({ type: 'text', delta });
const done = { type: 'done' as const, usage: { inputTokens: 100, outputTokens: 10 } } satisfies ModelEvent;
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
  fallback?: LanguageModel,
) {
  const clock = createCallClock(0, manualClock());
  const failures: AttemptFailure[] = [];
  const plan: CallPlan = planForTest({ hasKnowledge: true, ...changes });
  const outcome: Outcome = { appointment: null, callback: null };
  const uses: { name: string; arguments: unknown; result: Record<string, unknown> }[] = [];
  const finishes: Finish[] = [];
  const tools = createToolExecutor({
    plan,
    now: () => plan.startedAt,
    searchKnowledge: async () => hits,
    useWorkspaceTool: noWorkspaceTool,
    outcome,
    elapsedMs: () => 0,
    store: (record) =>
      void uses.push({ name: record.name, arguments: record.arguments, result: record.result }),
    log: silentLog,
  });
  const brain = createModelBrain({
    plan,
    model,
    fallback,
    tools,
    clock,
    onFailure: (failure) => void failures.push(failure),
  });
  async function hear(
    heard: string,
    options: {
      abort?: AbortController;
      heardAs?: (said: string[]) => string;
      confirmed?: Promise<void>;
    } = {},
  ) {
    const said: string[] = [];
    const signal = options.abort?.signal ?? new AbortController().signal;
    const confirmed = options.confirmed ? { confirmed: options.confirmed } : {};
    const useTool = (name: string, args: unknown) => tools.use(name, args, (finish) => finishes.push(finish));
    try {
      for await (const piece of brain.respond({ heard, signal, useTool, ...confirmed })) {
        if (piece !== '') said.push(piece);
      }
    } finally {
      brain.noteAgentSaid(options.heardAs ? options.heardAs(said) : said.join(' '));
    }
    return said;
  }
  return { brain, hear, uses, finishes, outcome, failures, clock };
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
    expect(requests[0]?.tools).toEqual([
      'end_call',
      'search_knowledge',
      'schedule_callback',
      'add_to_do_not_call_list',
    ]);
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

  it('does not let a model use tools without end, and asks back where no words come of it', async () => {
    let query = 0;
    const { model, requests } = createModel(async function* () {
      yield use('search_knowledge', { query: `again ${(query += 1)}` });
      yield done;
    });
    const { hear } = createBrain(model);
    expect(await hear('Hm?')).toEqual([SAY_AGAIN]);
    expect(requests.slice(0, 5).map((request) => request.tools.length > 0)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
    await expect(hear('Hm?')).rejects.toThrow('empty');
  });

  it('runs the same tool with the same arguments once in a reply', async () => {
    const again: ModelEvent[] = [use('search_knowledge', { query: 'parking' }), done];
    const { model, requests } = createModel(again, again, [text('It is free.'), done]);
    const { hear, uses } = createBrain(model);
    expect(await hear('Parking?')).toEqual(['It is free.']);
    expect(uses).toHaveLength(1);
    expect(requests[2]?.tools).toEqual([]);
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

  it('asks where a reply has become too long, and goes on only when it is wanted', async () => {
    const sentence = 'This is one of a hundred and twenty sentences. ';
    const { model, requests } = createModel([text(sentence.repeat(120)), done]);
    const { hear } = createBrain(model);
    const said = await hear('Tell me everything.');
    expect(said.at(-1)).toBe('Shall I go on?');
    expect(said.join(' ').length).toBeLessThan(500);
    await hear('Yes.');
    expect(requests[1]?.messages.at(-2)?.content).toBe(said.join(' '));
    const short = createModel([text(sentence.repeat(12)), done]);
    expect(await createBrain(short.model).hear('Tell me.')).toHaveLength(12);
  });

  it('begins an answer before the turn is over, without a tool and without a trace', async () => {
    const { model, requests } = createModel(
      [text('Let me look. '), use('search_knowledge', { query: 'parking' }), done],
      [text('Which one?'), done],
      [text('It is free.'), done],
    );
    const { brain, hear, uses } = createBrain(model);
    const early = new AbortController();
    const confirmed = new Promise<void>(() => undefined);
    const useTool = () => Promise.reject(new Error('too early'));
    const pieces = brain.respond({ heard: 'Can I park', signal: early.signal, confirmed, useTool });
    const first = await pieces[Symbol.asyncIterator]().next();
    expect(first.value).toBe('Let me look.');
    early.abort(new Error('went on'));
    expect(await hear('Can I park at your place?', { confirmed: Promise.resolve() })).toEqual(['Which one?']);
    expect(uses).toEqual([]);
    expect(requests[1]?.messages).toEqual([{ role: 'user', content: 'Can I park at your place?' }]);
    expect(await hear('The big one.')).toEqual(['It is free.']);
    expect(requests[2]?.messages).toHaveLength(3);
  });
});

const SAY_AGAIN = "I'm sorry, I lost the thread. Could you say that again, please?";
const failure = (kind: string, retryAfterMs?: number) =>
  new AppError('PROVIDER_FAILED', kind, { details: { kind, retryAfterMs } });
const hang: Answer = async function* () {
  await new Promise(() => undefined);
  yield done;
};
const named = (name: string, ...answers: Answer[]) => {
  const created = createModel(...answers);
  return { ...created, model: { ...created.model, model: name } };
};

describe('a language model that fails', () => {
  it('is asked again when it fails at once, without waiting as long as it asks for', async () => {
    const { model, requests } = createModel(failure('overloaded'), [text('Here I am.'), done]);
    const { hear, failures, clock } = createBrain(model);
    expect(await hear('Hello')).toEqual(['Here I am.']);
    expect(requests).toHaveLength(2);
    expect(clock.nowMs()).toBeLessThan(1_000);
    expect(failures).toEqual([{ model: 'double', kind: 'overloaded', afterMs: 0, next: 'double' }]);
    const limited = createModel(failure('rate_limited', 20_000));
    const brain = createBrain(limited.model);
    await expect(brain.hear('Hello')).rejects.toThrow('rate_limited');
    expect(limited.requests).toHaveLength(2);
    expect(brain.clock.nowMs()).toBe(2_500);
    const other = named('second', [text('Hello there.'), done]);
    const busy = createBrain(limited.model, {}, [], other.model);
    expect(await busy.hear('Hello')).toEqual(['Hello there.']);
    expect(busy.clock.nowMs()).toBe(0);
  });

  it('is joined by itself and then by the fallback when it hangs; the first to speak is heard', async () => {
    const slow: Answer = async function* () {
      yield text('Too late.');
      await new Promise(() => undefined);
    };
    const { model, requests } = named('first', hang, hang, slow);
    const fallback = named('second', [text('Hello there.'), done]);
    const { hear, failures, clock } = createBrain(model, {}, [], fallback.model);
    expect(await hear('Hello')).toEqual(['Hello there.']);
    expect(clock.nowMs()).toBe(5_000);
    expect(failures).toMatchObject([
      { model: 'first', kind: 'timed_out', next: 'first' },
      { model: 'first', kind: 'timed_out', next: 'second' },
    ]);
    // The fallback goes first for a while.
    expect(await hear('And now?')).toEqual(['Hello there.']);
    expect(clock.nowMs()).toBe(5_000);
    expect(requests).toHaveLength(2);
  });

  it('is given up within eight seconds, one that thinks within fifteen', async () => {
    const { hear, clock, failures } = createBrain(createModel(hang).model);
    await expect(hear('Hello')).rejects.toThrow('timed_out');
    expect(clock.nowMs()).toBe(7_000);
    expect(failures.at(-1)).toMatchObject({ kind: 'timed_out', next: null });
    const thinking = createBrain(
      createModel(async function* () {
        yield { type: 'working' };
        await new Promise(() => undefined);
      }).model,
    );
    await expect(thinking.hear('Hello')).rejects.toThrow('timed_out');
    expect(thinking.clock.nowMs()).toBe(15_000);
  });

  it('is not asked twice with a key that is refused, while the fallback answers', async () => {
    const { model, requests } = named('first', failure('bad_key'));
    const fallback = named('second', [text('Hello there.'), done]);
    const { hear } = createBrain(model, {}, [], fallback.model);
    expect(await hear('Hello')).toEqual(['Hello there.']);
    expect(requests).toHaveLength(1);
  });

  it('goes on where its answer broke off or stalled, in whole sentences', async () => {
    const breaksOff: Answer = async function* () {
      yield text('We are open. And on Sun');
      throw failure('broke_off');
    };
    const stalls: Answer = async function* () {
      yield text('On Saturdays too. And then');
      await new Promise(() => undefined);
    };
    const { model, requests } = createModel(breaksOff, stalls, [text('On Sundays we are closed.'), done]);
    const { hear } = createBrain(model);
    const said = ['We are open.', 'On Saturdays too.', 'On Sundays we are closed.'];
    expect(await hear('Hello')).toEqual(said);
    expect(requests[2]?.messages.slice(-2)).toMatchObject([
      { role: 'assistant', content: 'We are open. On Saturdays too.' },
      { role: 'user' },
    ]);
    const dropping = createModel(breaksOff);
    const brain = createBrain(dropping.model);
    const pieces: string[] = [];
    await expect(
      brain.hear('Hello', { heardAs: (heard) => String(pieces.push(...heard)) }),
    ).rejects.toThrow();
    expect(pieces).toEqual(['We are open.']);
    expect(dropping.requests).toHaveLength(4);
  });

  it('asks back once where an answer is empty, and says so where it is withheld', async () => {
    const empty = createModel([done]);
    const brain = createBrain(empty.model, { language: { code: 'de', lines: de } });
    expect(await brain.hear('Hallo')).toEqual([de.sayAgain]);
    expect(empty.requests).toHaveLength(2);
    await expect(brain.hear('Hallo?')).rejects.toThrow('empty');
    const filtered = createBrain(createModel([{ ...done, finish: 'filtered' }]).model);
    for (const words of ['Hello', 'Hello?', 'Hello!'])
      expect(await filtered.hear(words)).toEqual([
        "I'm sorry, I can't help you with that. Is there anything else I can do for you?",
      ]);
  });

  it('speaks no half sentence that a limit cut off', async () => {
    const { model } = createModel([text('It is open. And then we'), { ...done, finish: 'length' }]);
    expect(await createBrain(model).hear('Hello')).toEqual(['It is open.']);
  });
});
