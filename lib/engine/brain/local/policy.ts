import { findEmergency } from '#lib/text/emergencies.ts';
import { ACTS, ASKS_PROBLEM, beginSteps, endWith, offerHelp, offerPerson, statePurpose } from './acts.ts';
import { answerAwaited } from './awaited.ts';
import { takeSlot } from './booking.ts';
import { lookUp, SURE, VERY_SURE } from './facts.ts';
import { followRule } from './follow-rules.ts';
import { isLineName } from './lines.ts';
import { asksForPresence } from './person-asked.ts';
import { canBook, goOnAsking, type Reply, type Situation } from './situation.ts';
import { findSpokenMoment } from './spoken-moment.ts';
import { MANNERS, MAY_BE_FACT, REQUEST, type Saying, type Understanding } from './understand.ts';

/** Before anything that the prompt says. */
const URGENT = new Set(['danger', 'ask_ai', 'opt_out', 'deceased', 'wrong_number', 'not_me', 'ask_repeat']);
/** Said as an answer to a step, these still mean what they say. */
const INTERRUPTS = new Set(
  'danger ask_ai opt_out deceased wrong_number ask_human cancel ask_who ask_scam ask_why ask_repeat ask_presence ask_wait language farewell'.split(
    ' ',
  ),
);
/** What follows on these is mostly an answer. */
const OPEN_QUESTIONS = new Set(['step', 'slot', 'slot_confirmation', 'callback_time', 'message']);
/** "What if I can't come?" cancels nothing. */
const SUPPOSES = /\bwhat (?:if|happens)\b/i;
const TO_ANOTHER =
  /\b(?:to (?:the |next )?(?:\w+day|tomorrow|\d|one|two|three|four|five|\w+th)\b|instead|how about|what about|rather|(?:could|can) (?:we|you|i) (?:do|make))\b/i;
const PROPOSES =
  /\b(?:could (?:we |i )?do|make it|how about|what about|would .* work|is .* possible|can i (?:get|have))\b/i;
/** What is asked beside these is part of the news, or for another to know. */
const ALONE = new Set(['not_me', 'hurt', 'complain']);
const PERHAPS_ASKED = 0.3;
const SURELY_ASKED = 0.8;
/** No day to come is meant. */
const PAST = /\b(?:yesterday|ago|last (?:night|week|month|year|\w+day))\b/i;
const WH_QUESTION = /\b(?:how|what|where|which|why|who)\b/i;

/** What the agent says to what it just heard, sentence by sentence. Uses tools on the way. */
export async function decide(turn: Omit<Situation, 'said' | 'moment'>): Promise<string[]> {
  const emergency = findEmergency(turn.heard);
  turn.memory.emergency ??= emergency;
  const understood = await turn.memory.understand(turn.heard, OPEN_QUESTIONS.has(turn.memory.awaiting ?? ''));
  const said = emergency ? turn.memory.withEmergency(understood, emergency) : understood;
  const situation: Situation = { ...turn, said, moment: findMoment(turn, said) };
  const reply =
    (await act(situation, URGENT)) ??
    (await followRule(situation)) ??
    (await act(situation, INTERRUPTS)) ??
    (asksForPresence(turn.heard, turn.plan.prompt.card.businessName)
      ? await answerQuestions(situation, [turn.heard])
      : undefined) ??
    (await answerAwaited(situation)) ??
    (PROPOSES.test(turn.heard) ? await takeProposal(situation) : undefined) ??
    (await act(situation)) ??
    (await takeProposal(situation)) ??
    (await answerQuestions(situation)) ??
    (await goOn(situation));
  if (!reply) return notUnderstood(situation);
  turn.memory.timesNotUnderstood = 0;
  // Two answers may hold the same sentence, the call's purpose for example: it is said once, in the later one.
  return reply.filter((sentence, at) => !reply.includes(sentence, at + 1));
}

/** Where a day does not suit, the moment that is meant stands in another clause, or behind "to". */
function findMoment({ heard, plan }: Omit<Situation, 'said' | 'moment'>, said: Understanding) {
  const find = (text: string) =>
    PAST.test(text) ? undefined : findSpokenMoment(text, plan.startedAt, plan.timeZone);
  const moves = said.acts.some((saying) => saying.act === 'move' && !said.guessed.has(saying));
  if (!moves) return find(heard);
  const suits = said.clauses
    .filter(({ text }) => !/\b(?:can't|cannot|can not|won't|not|unable|no longer|n't)\b/i.test(text))
    .map(({ text }) =>
      text.replace(/^.*\b(?:from\b.*)?\bto (?=(?:the |next )?\w+(?:day|row|th|nd|st|rd)\b)/i, ''),
    );
  return suits.length > 0 && TO_ANOTHER.test(heard) ? find(suits.join(' ')) : undefined;
}

/** The first act of the table that has something to say, with the answer to a question beside it. */
async function act(situation: Situation, among?: ReadonlySet<string>): Promise<Reply> {
  const { memory, said } = situation;
  const isAsked = said.isQuestion && (WH_QUESTION.test(situation.heard) || !REQUEST.test(situation.heard));
  for (const saying of said.acts) {
    // "Two, no hang on, three" is an answer.
    const isAside =
      saying.act === 'ask_wait' && memory.awaiting === 'step' && situation.heard.split(' ').length > 6;
    if (isAside) continue;
    const isNow = !among || (among.has(saying.act) && (among === URGENT || memory.awaiting === 'step'));
    if (!isNow || saying.unlessAwaiting?.includes(memory.awaiting ?? '')) continue;
    const isOpen = MAY_BE_FACT.has(saying.act);
    const mayBeFact =
      isOpen &&
      (isAsked ||
        (saying.act !== 'ask_human' && said.asksFact >= SURELY_ASKED) ||
        (saying.act === 'language' && said.asksFact >= PERHAPS_ASKED));
    if (mayBeFact || (said.guessed.has(saying) && said.asksFact >= PERHAPS_ASKED)) {
      const questions = said.clauses.filter(({ isQuestion }) => isQuestion).map(({ text }) => text);
      for (const asked of new Set([situation.heard, ...questions])) {
        const fact = await lookUp(situation, asked, { sure: mayBeFact ? 0 : SURE });
        if (fact) return [fact, goOnAsking(situation)];
      }
      if (SUPPOSES.test(situation.heard)) return undefined;
    }
    const reply = await perform(situation, saying);
    if (reply) return reply;
  }
  return undefined;
}

async function perform(situation: Situation, saying: Saying): Promise<Reply> {
  const { plan, line, memory, said } = situation;
  const isInbound = plan.direction === 'INBOUND' && saying.inbound !== undefined;
  if (isInbound && said.has('farewell')) return undefined;
  const {
    say = [],
    do: name,
    end,
    await: awaited,
  } = isInbound ? { do: undefined, end: undefined, ...saying.inbound } : saying;
  const words = say.filter(isLineName).map((each) => line(each));
  const done = name === undefined ? [] : ((await ACTS[name]?.(situation)) ?? []);
  if (words.length + done.length === 0) return undefined;
  const isAlone = end !== undefined || ALONE.has(saying.act);
  const all = [...(isAlone ? [] : await answersBeside(situation)), ...words, ...done];
  if (end !== undefined) return endWith(situation, all, end);
  if (said.has('farewell') && !said.isQuestion && saying.act !== 'farewell' && saying.do !== 'hand_over') {
    const statements = all.filter((sentence) => !sentence.endsWith('?'));
    return endWith(situation, [...statements, line('farewell')], 'the person said goodbye');
  }
  if (awaited !== undefined) memory.awaiting = 'more';
  return all;
}

/** "I need an appointment, and do you have parking?": what is asked in a clause of its own. */
async function answersBeside(situation: Situation): Promise<string[]> {
  const { said, memory, plan } = situation;
  if (said.clauses.length < 2) return [];
  // "Could we do Tuesday at eleven?" proposes a time and asks for no fact.
  const isProposal = (text: string) =>
    /\b(?:can|could|may|shall) (?:we|i)\b/i.test(text) &&
    findSpokenMoment(text, plan.startedAt, plan.timeZone)?.time !== undefined;
  const asked = said.clauses.filter(({ text, isQuestion }) => isQuestion && !isProposal(text));
  const understood = await Promise.all(asked.map(({ text }) => memory.understand(text)));
  const questions = asked.filter(
    (_, index) => understood[index]?.acts.every(({ act: name }) => MANNERS.has(name)) ?? false,
  );
  return findAnswers(
    situation,
    questions.map(({ text }) => text),
  );
}

async function findAnswers(situation: Situation, questions: readonly string[]): Promise<string[]> {
  const answers: string[] = [];
  for (const question of questions.slice(0, 2)) {
    const answer = await lookUp(situation, question);
    if (answer && !answers.includes(answer)) answers.push(answer);
  }
  return answers;
}

/** A day and a time of which nobody asked: an offer, where it is no question of fact. */
async function takeProposal(situation: Situation): Promise<Reply> {
  const { moment, said, memory, heard } = situation;
  if (!moment || memory.hasBooked || (!canBook(situation) && !memory.isBooking)) return undefined;
  // A whole moment without a question word is an offer, however it was understood.
  const isOffer = moment.date !== undefined && moment.time !== undefined && !heard.endsWith('?');
  const isProposal =
    !said.isQuestion || (isOffer && !WH_QUESTION.test(heard))
      ? moment.date !== undefined && (moment.time !== undefined || memory.isBooking || canBook(situation))
      : PROPOSES.test(heard);
  return isProposal ? takeSlot(situation, moment) : undefined;
}

/** Questions of fact: from the documents, else from the prompt's own facts, else the agent does not know. */
async function answerQuestions(situation: Situation, asked = questionsIn(situation)): Promise<Reply> {
  const { heard, memory, line } = situation;
  if (asked.length === 0) return undefined;
  const answers = await findAnswers(situation, asked);
  if (answers.length === 0 && asked.join(' ') !== heard)
    answers.push(...(await findAnswers(situation, [heard])));
  if (answers.length > 0) return [...answers, goOnAsking(situation)];
  memory.topic = heard;
  return [line('unknown'), ...offerPerson(situation)];
}

function questionsIn({ said }: Situation): string[] {
  return said.clauses.filter(({ isQuestion }) => isQuestion).map(({ text }) => text);
}

/** Something neutral: the agent goes on with what it called for, or with what the caller tells. */
async function goOn(situation: Situation): Promise<Reply> {
  const { said, memory, line, plan, heard } = situation;
  const isShort = heard.split(/\s+/).length <= 4;
  const isManners = said.acts.length > 0 && said.acts.every(({ act: name }) => MANNERS.has(name));
  // The purpose is no answer to news that was not understood.
  if (plan.direction === 'OUTBOUND' && !memory.hasStatedPurpose && !said.has('no') && (isShort || isManners))
    return statePurpose(situation);
  const isPlain = said.acts.some(({ act: name }) => MANNERS.has(name)) && heard.split(/\s+/).length <= 12;
  const tells = tellsProblem(situation);
  if (isPlain && !tells) {
    if (said.has('greeting') && plan.direction === 'INBOUND') return [line('howCanIHelp')];
    return [line(said.has('thanks') ? 'welcome' : 'noProblem'), goOnAsking(situation)];
  }
  const answer =
    plan.direction === 'INBOUND' ? await lookUp(situation, heard, { sure: VERY_SURE }) : undefined;
  if (answer) return [answer, goOnAsking(situation)];
  if (!tells) return said.isBitter ? ACTS['soothe']?.(situation) : undefined;
  memory.isBooking = canBook(situation);
  memory.topic = heard;
  return beginSteps(situation, true);
}

/** A caller's first statement, where the prompt has questions for such callers: "the heating isn't working". */
function tellsProblem({ plan, memory, heard, said }: Situation): boolean {
  if (plan.direction === 'OUTBOUND' || memory.answers.length > 0) return false;
  if (!memory.steps.some(({ ask }) => ASKS_PROBLEM.test(ask))) return false;
  return !memory.hasBooked && !said.has('thanks') && heard.split(' ').length > 2;
}

/** A few misunderstandings are forgiven; then somebody else should talk to the person. */
async function notUnderstood(situation: Situation): Promise<string[]> {
  const { memory, line, heard } = situation;
  memory.timesNotUnderstood += 1;
  if (memory.timesNotUnderstood <= 2) return [line('didNotUnderstand')];
  memory.topic = heard;
  return [line('outOfScope'), ...(offerHelp(situation) === '' ? [] : offerPerson(situation))];
}
