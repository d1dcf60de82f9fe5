import { expect, it } from 'vitest';
import { type ChatPast, messagesOf } from './past.ts';

const turn = (seq: number, text: string): ChatPast['turns'][number] => ({
  seq,
  speaker: seq % 2 === 1 ? 'human' : 'agent',
  text,
  startedMs: seq * 1_000,
});
const charactersOf = (past: ChatPast) => JSON.stringify(messagesOf(past)).length;

it('tells the model all of a usual chat, in order', () => {
  const turns = Array.from({ length: 9 }, (_, at) => turn(at + 1, `Sentence ${at + 1}`));
  expect(messagesOf({ turns, toolUses: [] }).map(({ content }) => content)).toEqual(
    turns.map(({ text }) => text),
  );
});

it('tells the newest of a long chat, so that each answer costs no more than the one before', () => {
  const long = (count: number) => ({
    turns: Array.from({ length: count }, (_, at) => turn(at + 1, `${at + 1} ${'x'.repeat(3_990)}`)),
    toolUses: [],
  });
  expect(charactersOf(long(199))).toBeLessThan(50_000);
  expect(charactersOf(long(199)) - charactersOf(long(19))).toBeLessThan(100);
  expect(messagesOf(long(199)).at(-1)?.content).toMatch(/^199 /);
});

it('tells the last message whatever its length, and what was used for it', () => {
  const toolUses = [
    { seq: 1, name: 'look_up', arguments: {}, result: { text: 'y'.repeat(60_000) }, startedMs: 3_500 },
  ];
  const turns = [turn(1, 'First'), turn(2, 'Answer'), turn(3, 'Second')];
  expect(messagesOf({ turns, toolUses }).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
});
