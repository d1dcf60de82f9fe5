import { readEnglish } from '#lib/text/english.ts';
import type { AnalyzedCall } from '../facts.ts';
import { isOrder } from '../orders.ts';
import type { Place } from './values.ts';

/** What a result is read from: the call, with the places of its turns and where its days are counted from. */
export type ReadCall = Omit<AnalyzedCall, 'turns'> & {
  turns: readonly ReadTurn[];
  place: Place;
};

export type ReadTurn = { seq: number; speaker: 'agent' | 'human'; text: string };

/**
 * The turns without what was said to the analyzer instead of to the other side, and whether there was any of that. Pauses
 * of one speaker make no answer: what the same side says twice in a row is two turns all the same.
 */
export function readTurns(turns: ReadCall['turns']): { turns: ReadTurn[]; hasOrders: boolean } {
  let hasOrders = false;
  const read = turns.flatMap(({ seq, speaker, text }): ReadTurn[] => {
    if (speaker === 'agent') return [{ seq, speaker, text }];
    const sentences = readEnglish(text.trim()).map((sentence) => sentence.text);
    const kept = sentences.filter((sentence) => !isOrder(sentence));
    if (kept.length === sentences.length) return [{ seq, speaker, text }];
    hasOrders = true;
    return kept.length === 0 ? [] : [{ seq, speaker, text: kept.join(' ') }];
  });
  return { turns: read, hasOrders };
}
