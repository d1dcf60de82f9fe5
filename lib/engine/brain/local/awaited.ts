import { ACTS, endWith, promiseCallback, statePurpose } from './acts.ts';
import { advance, askForSlot, confirmSlot, takeAnswer, takeSlot } from './booking.ts';
import { type Awaiting, ask, canBook, momentOf, type Reply, type Situation } from './situation.ts';
import { MANNERS, REQUEST } from './understand.ts';

/** What went wrong is an answer to these. */
const OPEN = /\b(?:how|what|why)\b/i;

const AWAITED: Readonly<Record<Awaiting, (situation: Situation) => Promise<Reply>>> = {
  slot_confirmation: confirmSlot,
  step: async (situation) => {
    const { said, moment } = situation;
    const isSlot = moment?.date !== undefined && moment.time !== undefined && canBook(situation);
    if (isSlot) return takeSlot(situation, moment);
    const isAnswer = !said.isQuestion || said.has('yes') || said.has('no');
    const isTrouble = said.has('hurt') || said.has('complain');
    if (!isAnswer || (isTrouble && !OPEN.test(situation.memory.asked))) return undefined;
    return [...(isTrouble ? [situation.line('sorryToHear')] : []), ...(await takeAnswer(situation))];
  },
  slot: async (situation) => {
    const { said, moment } = situation;
    if (moment && (!said.isQuestion || REQUEST.test(situation.heard) || moment.time))
      return takeSlot(situation, moment);
    if (refuses(situation)) return stopBooking(situation);
    return said.has('yes') && !said.has('thanks') && !said.isQuestion ? [askForSlot(situation)] : undefined;
  },
  slot_consent: async (situation) => {
    const { said, moment, memory } = situation;
    if (moment) return takeSlot(situation, moment);
    if (refuses(situation) || said.has('no_more')) return endOrMore(situation);
    if (!said.has('yes')) return undefined;
    memory.isBooking = true;
    return advance(situation);
  },
  callback_time: async (situation) => {
    const { said } = situation;
    if (said.isQuestion) return undefined;
    return refuses(situation) || said.has('farewell') ? endOrMore(situation) : promiseCallback(situation);
  },
  callback_consent: async (situation) => {
    const { said, moment } = situation;
    if (wantsElse(situation)) return undefined;
    if (refuses(situation)) return endOrMore(situation);
    return said.has('yes') || (moment && !said.isQuestion) ? promiseCallback(situation) : undefined;
  },
  human_consent: async (situation) => {
    const { said, moment } = situation;
    if (wantsElse(situation)) return undefined;
    if (refuses(situation)) return endOrMore(situation);
    if (said.isQuestion || moment) return undefined;
    return said.has('yes') ? ACTS['hand_over']?.(situation) : undefined;
  },
  message: async (situation) => {
    const { said, line, heard } = situation;
    if (said.has('ask_repeat') || said.has('farewell') || said.has('ask_human')) return undefined;
    const isRefused = said.has('no') && heard.split(/\s+/).length <= 4;
    return [line(isRefused ? 'noProblem' : 'messageTaken'), ask(situation, 'more', line('anythingElse'))];
  },
  more: async (situation) => {
    const { said, line } = situation;
    if (said.isQuestion || said.acts.some(({ act: name }) => !MANNERS.has(name))) return undefined;
    if (said.has('no')) return endWith(situation, [line('farewell')], 'the person said goodbye');
    return said.has('yes') && !said.has('thanks') && situation.heard.split(' ').length < 4
      ? [line('howCanIHelp')]
      : undefined;
  },
  moment: async (situation) => {
    const { said, line } = situation;
    if (said.isQuestion || hasOther(situation)) return undefined;
    if (said.has('no') && said.has('no_more'))
      return endWith(situation, [line('declined')], 'the person is not interested');
    if (said.has('no')) return [ask(situation, 'callback_time', line('whenCallBack'))];
    return said.has('yes') || said.has('greeting') ? begin(situation) : undefined;
  },
  identity: async (situation) => {
    const { said } = situation;
    if (said.isQuestion || hasOther(situation)) return undefined;
    if (said.has('no')) return ACTS['ask_when_reachable']?.(situation);
    return said.has('yes') || said.has('greeting') ? begin(situation) : undefined;
  },
  confirm: async (situation) => {
    const { said, line, heard, memory } = situation;
    if (said.isQuestion || hasOther(situation)) return undefined;
    if (said.has('no')) return ACTS['offer_other_slot']?.(situation);
    if (!said.has('yes')) return undefined;
    const isMore = /\b(?:but|except|only)\b/i.test(heard);
    const reminders = memory.rules.filter(({ whens }) => whens.some((when) => /^confirm/i.test(when)));
    return [
      line('confirmed'),
      ...reminders.flatMap(({ orders }) =>
        orders.flatMap((order) => (order.kind === 'say' ? [order.text] : [])),
      ),
      ...(isMore ? [line('notedToo')] : []),
      ask(situation, 'more', line('anythingElse')),
    ];
  },
  wellbeing: async (situation) => {
    const { said, line } = situation;
    if (said.has('hurt') || said.isQuestion) return undefined;
    if (said.has('doing_well') || said.has('yes') || said.has('thanks'))
      return [
        line('glad'),
        ...(situation.memory.hasStatedPurpose
          ? [ask(situation, 'more', line('anythingElse'))]
          : await begin(situation)),
      ];
    return said.has('no')
      ? [line('sorryToHear'), ask(situation, 'slot_consent', line('offerVisit'))]
      : undefined;
  },
  /** "Have you sent it?", where the prompt says what to ask on a yes or a no. */
  fact: async (situation) => {
    const { memory, said } = situation;
    const isAnswer = said.has('yes') || said.has('no');
    if (said.isQuestion || hasOther(situation) || !isAnswer) return undefined;
    const offered = momentOf(situation, situation.plan.prompt.opening);
    if (said.has('yes') && offered?.time && canBook(situation)) return takeSlot(situation, offered);
    if (!memory.steps[0]?.after) return undefined;
    memory.hasStatedPurpose = true;
    memory.answers.push({ question: memory.lastSaid, answer: situation.heard, isNo: said.has('no') });
    return advance(situation);
  },
  help: async () => undefined,
};

/** The person answers what was asked. */
export async function answerAwaited(situation: Situation): Promise<Reply> {
  const { memory, said, moment } = situation;
  const awaiting = memory.awaiting;
  if (!awaiting) return undefined;
  const isEnding = said.acts.some(({ end }) => end !== undefined);
  if ((isEnding || (said.has('farewell') && !said.isQuestion)) && awaiting !== 'step') return undefined;
  const isElse = said.has('callback') || said.has('move');
  const isSlot =
    moment?.time === undefined ? canBook(situation) && !isElse : memory.isBooking || canBook(situation);
  if (moment?.date && isSlot && isOpeningQuestion(awaiting) && !said.isQuestion)
    return takeSlot(situation, moment);
  return AWAITED[awaiting](situation);
}

function isOpeningQuestion(awaiting: Awaiting): boolean {
  return ['moment', 'identity', 'confirm', 'wellbeing', 'fact', 'help'].includes(awaiting);
}

/** Something that the table knows was said, beyond manners and a plain yes or no. */
function hasOther({ said }: Situation): boolean {
  return said.acts.some(
    ({ act: name }) => !MANNERS.has(name) && name !== 'no_more' && name !== 'ask_presence',
  );
}

/** "I want to book an appointment" takes no offer of a callback or a colleague, whatever words it has of a yes. */
function wantsElse({ said }: Situation): boolean {
  return ['book', 'move', 'cancel', 'opt_out', 'complain', 'hurt'].some((name) => said.has(name));
}

function refuses({ said }: Situation): boolean {
  return (said.has('no') || said.has('decline')) && !said.has('yes') && !said.isQuestion;
}

async function begin(situation: Situation): Promise<string[]> {
  situation.memory.awaiting = undefined;
  if (!situation.memory.hasStatedPurpose) return statePurpose(situation);
  return advance(situation);
}

async function stopBooking(situation: Situation): Promise<string[]> {
  situation.memory.isBooking = false;
  return endOrMore(situation);
}

async function endOrMore(situation: Situation): Promise<string[]> {
  const { said, line } = situation;
  if (said.has('no_more') || said.has('farewell'))
    return endWith(situation, [line('farewell')], 'the person said goodbye');
  return [line('noProblem'), ask(situation, 'more', line('anythingElse'))];
}
