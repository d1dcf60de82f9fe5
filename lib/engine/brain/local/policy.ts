import {
  answerQuestion,
  disclose,
  goOn,
  hold,
  introduce,
  notUnderstood,
  repeat,
  smallTalk,
} from './rules-answering.ts';
import { askForSlot, confirmSlot, takeSlot } from './rules-booking.ts';
import { acceptDecline, handOver, promiseCallback, sayGoodbye, takeMessage } from './rules-ending.ts';
import type { Rule, Situation } from './situation.ts';
import { findSpokenMoment } from './spoken-moment.ts';
import { understand } from './understand.ts';

/** In this order: the first rule that applies decides. What ends the call comes after what the person still wants. */
const RULES: readonly Rule[] = [
  disclose,
  acceptDecline,
  handOver,
  confirmSlot,
  takeSlot,
  takeMessage,
  promiseCallback,
  sayGoodbye,
  repeat,
  introduce,
  smallTalk,
  askForSlot,
  hold,
  answerQuestion,
  goOn,
];

/** What the agent says to what it just heard, sentence by sentence. Uses tools on the way. */
export async function decide(turn: Omit<Situation, 'said' | 'moment'>): Promise<string[]> {
  const situation: Situation = {
    ...turn,
    said: understand(turn.heard),
    moment: findSpokenMoment(turn.heard, turn.plan.startedAt, turn.plan.timeZone),
  };
  for (const rule of RULES) {
    const words = await rule(situation);
    if (words) {
      turn.memory.timesNotUnderstood = 0;
      return words;
    }
  }
  return notUnderstood(situation);
}
