import { isStopWord, termsOf } from '#lib/text/terms.ts';
import { askForSlot } from './booking.ts';
import { likeness, readMeanings } from './meaning.ts';
import type { Rule } from './rules.ts';
import { APPOINTMENT, ask, canBook, goOnAsking, type Reply, type Situation } from './situation.ts';
import { MANNERS } from './understand.ts';

/** How like an utterance has to be to a condition: by its meaning alone, or where they share a telling word. */
const ALIKE = 0.7;
const ALIKE_IN_WORDS = 0.3;

/** What the prompt's rules say to what was heard; undefined where no condition is met. */
export async function followRule(situation: Situation): Promise<Reply> {
  const rule = await findRule(situation);
  if (!rule) return undefined;
  const { has, line, memory, useTool, heard, said } = situation;
  const kinds = new Set(rule.orders.map(({ kind }) => kind));
  // The table knows what to do about a time that was named.
  if (kinds.has('callback') && said.has('callback')) return undefined;
  const words = [
    ...(said.has('hurt') || said.has('complain') ? [line('sorryHurt')] : []),
    ...rule.orders.flatMap((order) => (order.kind === 'say' ? [order.text] : [])),
  ];
  if (kinds.has('transfer')) {
    if (!has('transfer_call')) return [...words, ask(situation, 'message', line('takeMessage'))];
    await useTool('transfer_call', { reason: heard.slice(0, 300) });
    return [...words, line('handingOver')];
  }
  if (kinds.has('callback') && has('schedule_callback')) {
    memory.topic = heard;
    return [...words, ask(situation, 'callback_time', line('whenCallBack'))];
  }
  if (words.some((text) => APPOINTMENT.test(text)) && canBook(situation)) {
    memory.isBooking = true;
    return [...words, askForSlot(situation)];
  }
  return [...words, goOnAsking(situation)];
}

async function findRule(situation: Situation): Promise<Rule | undefined> {
  const { memory, heard, said } = situation;
  const whens = memory.rules.flatMap((rule) => rule.whens.map((when) => ({ rule, when })));
  if (whens.length === 0) return undefined;
  const [meaning, ...rest] = await readMeanings([heard, ...whens.map(({ when }) => when)]);
  if (!meaning) return undefined;
  const terms = new Set(tellingTerms(heard));
  const heardActs = said.acts.filter((saying) => !MANNERS.has(saying.act));
  const scored = whens.map(({ rule, when }, index) => {
    const alike = likeness(meaning.vector, rest[index]?.vector ?? meaning.vector);
    const wanted = tellingTerms(when);
    const shares = wanted.length > 0 && wanted.filter((term) => terms.has(term)).length > wanted.length / 2;
    const isSameAct = heardActs.some(({ act }) =>
      memory.readTable(when).some((saying) => saying.act === act),
    );
    const isMet = isSameAct || shares;
    const isOther = heardActs.some((saying) => !said.guessed.has(saying)) || memory.awaiting === 'step';
    return { rule, score: isMet ? alike - ALIKE_IN_WORDS : isOther ? -1 : alike - ALIKE };
  });
  const best = scored.toSorted((one, other) => other.score - one.score)[0];
  return best && best.score >= 0 ? best.rule : undefined;
}

function tellingTerms(text: string): string[] {
  return termsOf(text).filter((term) => !isStopWord(term));
}
