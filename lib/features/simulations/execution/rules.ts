import type { SaidLine } from '#lib/ports/simulated-person.ts';
import type { SimulatedTurn, UnheardLine } from '../rules.ts';

/** A turn begins when speech is noticed, and ends when it is over for certain. */
const TOLERANCE_MS = 500;

/** Puts beside each turn of the person what they said where the agent understood something else, and what it never heard. */
export function matchSaid(
  turns: readonly SimulatedTurn[],
  said: readonly SaidLine[],
): { turns: SimulatedTurn[]; unheard: UnheardLine[] } {
  const ofTurn = new Map<SimulatedTurn, string[]>();
  const unheard: UnheardLine[] = [];
  for (const { text, startedMs, endedMs } of said) {
    const middleMs = (startedMs + endedMs) / 2;
    const turn = turns.find(
      (each) =>
        each.speaker === 'human' &&
        each.startedMs - TOLERANCE_MS <= middleMs &&
        middleMs <= each.endedMs + TOLERANCE_MS,
    );
    if (turn) ofTurn.set(turn, [...(ofTurn.get(turn) ?? []), text]);
    else unheard.push({ text, startedMs });
  }
  return {
    turns: turns.map((turn) => {
      const text = ofTurn.get(turn)?.join(' ') ?? '';
      return text === '' || sameWords(text, turn.text) ? turn : { ...turn, said: text };
    }),
    unheard,
  };
}

function sameWords(one: string, other: string): boolean {
  return words(one) === words(other);
}

const words = (text: string) => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
