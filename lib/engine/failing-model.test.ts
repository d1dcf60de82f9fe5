import { describe, expect, it } from 'vitest';
import type { Person } from '#lib/adapters/carriers/simulated/leg.ts';
import { callWith } from '#lib/adapters/carriers/simulated/testing.ts';
import { AppError } from '#lib/errors.ts';
import type { LanguageModel, ModelEvent } from '#lib/ports/language-model.ts';
import { manualClock } from '#lib/ports/testing.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { de } from './languages/de.ts';
import { en } from './languages/en.ts';

type Script = (
  signal: AbortSignal | undefined,
  clock: ReturnType<typeof manualClock>,
) => AsyncIterable<ModelEvent>;

const says = (...deltas: string[]): Script =>
  async function* () {
    for (const delta of deltas) yield { type: 'text', delta };
    yield { type: 'done', usage: undefined };
  };
/** Never answers, and does not even hear that it was given up. */
const hangs: Script = async function* () {
  await new Promise(() => undefined);
  yield { type: 'done', usage: undefined };
};
const fails = (kind: string): Script =>
  // oxlint-disable-next-line require-yield
  async function* () {
    throw new AppError('PROVIDER_FAILED', kind, { details: { kind } });
  };
const after = (ms: number, script: Script): Script =>
  async function* (signal, clock) {
    await clock.sleep(ms);
    yield* script(signal, clock);
  };

/** A call in real time on a clock of the test, whose person asks one thing and listens. */
async function callModel(
  scripts: Script[],
  options: Partial<Parameters<typeof callWith>[1]> & { fallback?: Script; person?: Person } = {},
) {
  const clock = manualClock();
  let asked = 0;
  const create = (model: string, next: () => Script): LanguageModel => ({
    model,
    respond: ({ signal }) => next()(signal, clock),
    completeJson: () => Promise.reject(new Error('unused')),
  });
  const languageModel = create('first', () => scripts[Math.min((asked += 1), scripts.length) - 1] ?? hangs);
  const { fallback } = options;
  const person: Person =
    options.person ??
    (async (end) => {
      await end.wait(5_000);
      await end.say('What does it cost?');
      await end.wait(25_000);
    });
  let isOver = false;
  const calling = callWith(person, {
    languageModel,
    ...(fallback ? { fallbackModel: create('second', () => fallback) } : {}),
    speed: 1,
    clock,
    ...options,
    plan: { limits: { maxDurationMs: 600_000, silenceMs: 120_000 }, ...options.plan },
  });
  calling.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  for (let step = 0; step < 2_000 && !isOver; step += 1) await clock.advance(50);
  const call = await calling;
  const question = call.turns.find((turn) => turn.text === 'What does it cost?');
  const answers = call.turns.filter((turn) => turn.speaker === 'agent' && turn.seq > (question?.seq ?? 0));
  return {
    ...call,
    asked: () => asked,
    said: answers.map((turn) => turn.text).join(' '),
    /** From the person's last word to the first of the agent's. */
    silenceMs: (answers[0]?.startedMs ?? Number.NaN) - (question?.endedMs ?? Number.NaN),
    failures: call.events.filter((event) => event.type === 'model_failed').map((event) => event.data),
  };
}

/** What the turn machine waits after a question before it is the agent's turn. */
const END_OF_TURN_MS = 300;

describe('a call whose model', () => {
  it('hangs says so after 1.2 s, again later, apologises and ends within ten seconds', async () => {
    const call = await callModel([hangs]);
    expect(call.silenceMs).toBeGreaterThanOrEqual(1_200);
    expect(call.silenceMs).toBeLessThanOrEqual(1_200 + END_OF_TURN_MS + 50);
    expect(call.said).toBe(`${en.filler.first} ${en.filler.second} ${en.closing.failed}`);
    expect(call.asked()).toBe(2);
    expect(call.failures).toMatchObject([
      { model: 'first', kind: 'timed_out', next: 'first' },
      { model: 'first', kind: 'timed_out', next: null },
    ]);
    expect(call.result).toMatchObject({
      endedBy: 'agent',
      endReason: 'The agent could not go on: the language model did not answer in time.',
    });
  });

  it('hangs once is asked again within five seconds, and the call goes on', async () => {
    const call = await callModel([hangs, says('It costs ten euros.')]);
    expect(call.said).toBe(`${en.filler.first} It costs ten euros.`);
    expect(call.result.endReason).toBe('The person hung up.');
  });

  it('is too slow for its first word, but not for its first sentence, gets no filler', async () => {
    const slowSentence: Script = async function* (_signal, clock) {
      yield { type: 'text', delta: 'It costs' };
      await clock.sleep(2_000);
      yield* says(' ten euros.')(undefined, clock);
    };
    expect((await callModel([slowSentence])).said).toBe('It costs ten euros.');
    const slowWord = await callModel([after(1_800, says('It costs ten euros.'))]);
    expect(slowWord.said).toBe(`${en.filler.first} It costs ten euros.`);
    expect(slowWord.failures).toEqual([]);
  });

  it('fails is replaced by the fallback, whose answers are then asked for first', async () => {
    const call = await callModel([fails('overloaded')], { fallback: says('It costs ten euros.') });
    expect(call.said).toBe('It costs ten euros.');
    expect(call.silenceMs).toBeLessThan(1_200);
    expect(call.failures).toMatchObject([
      { model: 'first', kind: 'overloaded', next: 'first' },
      { model: 'first', kind: 'overloaded', next: 'second' },
    ]);
  });

  it('fails for good hands the call over where a number is set for it, in the language of the agent', async () => {
    const call = await callModel([fails('bad_key')], {
      plan: { transferNumber: parsePhoneNumber('+15550123456'), language: { code: 'de', lines: de } },
    });
    expect(call.said).toBe(de.failedHandover);
    expect(call.asked()).toBe(1);
    expect(call.result).toMatchObject({
      transferredTo: '+15550123456',
      endReason:
        'The agent could not go on and transferred the call: the key of the language model was refused.',
    });
  });

  it('writes a sentence is heard while it writes the next one', async () => {
    const slow: Script = async function* (_signal, clock) {
      yield { type: 'text', delta: 'It costs ten euros. ' };
      await clock.sleep(1_000);
      yield* says('And parking is free.')(undefined, clock);
    };
    const call = await callModel([slow]);
    expect(call.said).toBe('It costs ten euros. And parking is free.');
    expect(call.silenceMs).toBeLessThanOrEqual(END_OF_TURN_MS + 50);
  });

  it('is asked before the turn is over answers at once when it is', async () => {
    const call = await callModel([after(250, says('It costs ten euros.'))]);
    expect(call.silenceMs).toBeLessThanOrEqual(END_OF_TURN_MS + 50);
    expect(call.asked()).toBe(1);
  });

  it('hangs does not hold up the end of the call, nor does a tool or a store', async () => {
    const person: Person = async (end) => {
      await end.wait(5_000);
      await end.say('What does it cost?');
      await end.wait(600);
    };
    const searches: Script = async function* () {
      yield { type: 'tool_call', id: 'a', name: 'search_knowledge', arguments: '{"query":"price"}' };
      yield { type: 'done', usage: undefined };
    };
    const never = () => new Promise<never>(() => undefined);
    const hanging = await callModel([hangs], { person });
    expect(hanging.result).toMatchObject({ endReason: 'The person hung up.' });
    const searching = await callModel([searches], {
      person,
      plan: { hasKnowledge: true },
      searchKnowledge: never,
    });
    expect(searching.result).toMatchObject({ endReason: 'The person hung up.' });
    await expect(callModel([says('Ten euros.')], { person, flush: never })).rejects.toThrow('stored');
  });
});
