import { expect, it } from 'vitest';
import type { SimulatedTurn } from '../rules.ts';
import { matchSaid } from './rules.ts';

const turn = (seq: number, speaker: 'agent' | 'human', text: string, startedMs: number): SimulatedTurn => ({
  seq,
  speaker,
  text,
  intendedText: null,
  startedMs,
  endedMs: startedMs + 1_000,
  interrupted: false,
});

it('tells what was said where something else was understood, and what was not heard at all', () => {
  const turns = [
    turn(1, 'agent', 'How can I help?', 0),
    turn(2, 'human', 'On next Tuesday at 3 PM', 2_000),
    turn(3, 'agent', 'Fine.', 4_000),
    turn(4, 'human', 'Nothing.', 6_000),
  ];
  const said = [
    { text: 'On next Tuesday, at 3 pm.', startedMs: 1_900, endedMs: 2_900 },
    { text: 'No thing.', startedMs: 6_100, endedMs: 6_900 },
    { text: 'Hm.', startedMs: 9_000, endedMs: 9_200 },
  ];
  const matched = matchSaid(turns, said);
  expect(matched.turns.map((each) => each.said)).toEqual([undefined, undefined, undefined, 'No thing.']);
  expect(matched.unheard).toEqual([{ text: 'Hm.', startedMs: 9_000 }]);
});
