import { lastQuestion } from '#lib/text/abbreviations.ts';
import { findEmergency } from '#lib/text/emergencies.ts';
import { OPT_OUT_TOOL } from '#lib/engine/tools/opt-out.ts';
import { lookUp, SURE } from './facts.ts';
import { askForSlot, advance, takeSlot } from './booking.ts';
import { speakScope } from './scope.ts';
import {
  ask,
  canBook,
  goOnAsking,
  momentOf,
  NO_SLOT,
  type Reply,
  type Situation,
  topicOf,
} from './situation.ts';
import { findVagueTime } from './spoken-moment.ts';

/** Topics of `data/examples/topics.txt`, of one of which advice in an emergency is. */
const OF_EMERGENCIES = ['emergency', 'night_service', 'breakdown'];

type Act = (situation: Situation) => Promise<Reply>;

/** What the rows of `data/sayings.json` name as `do`. Undefined where the act has nothing to say here. */
export const ACTS: Readonly<Record<string, Act>> = {
  none: async () => undefined,
  disclose: async ({ plan }) => [plan.prompt.card.aiDisclosure],
  introduce: async (situation) => [
    sayWho(situation),
    // Who has not said who they are may be a stranger.
    ...(situation.memory.awaiting === 'identity'
      ? [lastQuestion(situation.plan.prompt.opening) ?? '']
      : situation.plan.direction === 'OUTBOUND' && !situation.memory.hasStatedPurpose
        ? await statePurpose(situation)
        : [goOnAsking(situation)]),
  ],
  introduce_fully: async (situation) => [sayWho(situation), ...(await statePurpose(situation))],
  state_purpose: statePurpose,
  offer_help: async (situation) => [offerHelp(situation)],
  offer_person: async (situation) => offerPerson(situation),
  offer_callback: async (situation) => offerCallback(situation),
  ask_when_reachable: askWhenReachable,
  help_hurt: helpHurt,
  soothe: async (situation) => [situation.line('sorryComplaint'), ...noteTopic(situation, offerPerson)],
  hand_over: handOver,
  note_cancellation: noteCancellation,
  offer_other_slot: offerOtherSlot,
  promise_callback: promiseCallback,
  start_booking: startBooking,
  opt_out: async ({ has, useTool }) => {
    if (has(OPT_OUT_TOOL)) await useTool(OPT_OUT_TOOL, {});
    return undefined;
  },
  say_goodbye: async (situation) =>
    endWith(situation, [situation.line('farewell')], 'the person said goodbye'),
  small_talk: async (situation) => [
    situation.line('fine'),
    ...(situation.plan.direction === 'OUTBOUND' && !situation.memory.hasStatedPurpose
      ? await statePurpose(situation)
      : [situation.line('howCanIHelp')]),
  ],
  repeat: async ({ memory }) => (memory.lastSaid === '' ? undefined : [memory.lastSaid]),
  say_presence: async (situation) => {
    const { line, memory, plan, said } = situation;
    if (plan.direction === 'INBOUND' && said.has('greeting')) return [line('howCanIHelp')];
    if (memory.asked !== '') return [line('iAmHere'), memory.asked];
    const isWaiting = plan.direction === 'OUTBOUND' && !memory.hasStatedPurpose;
    return [line('iAmHere'), ...(isWaiting ? await statePurpose(situation) : [line('howCanIHelp')])];
  },
};

/** Says the last words; hangs up after them where the agent may. */
export async function endWith(
  { has, useTool, memory }: Situation,
  words: string[],
  reason: string,
): Promise<string[]> {
  memory.awaiting = undefined;
  if (has('end_call')) await useTool('end_call', { reason });
  return words;
}

function sayWho({ plan }: Situation): string {
  const { personaName, businessName } = plan.prompt.card;
  return personaName
    ? `This is ${personaName} from ${businessName}.`
    : `You are speaking with ${businessName}.`;
}

/** Why the agent calls, and what it wants to know first; to somebody who called, what it can do. */
export async function statePurpose(situation: Situation): Promise<string[]> {
  const { memory, plan, line } = situation;
  if (plan.direction === 'INBOUND') return [offerHelp(situation)];
  memory.hasStatedPurpose = true;
  const purpose = memory.purpose
    ? `I am calling ${memory.purpose}.`
    : `I am calling on behalf of ${plan.prompt.card.businessName}. ${offerHelp(situation)}`;
  const hasMore = memory.nextStep < memory.steps.length || (memory.isBooking && !memory.hasBooked);
  // A purpose of asking is stated by the question itself.
  if (hasMore && memory.purpose?.startsWith('to ask ')) return advance(situation);
  return [purpose, ...(hasMore ? await advance(situation) : [ask(situation, 'more', line('questions'))])];
}

/** What the agent helps with; said kindly where something else was asked. */
export function offerHelp({ plan, line }: Situation): string {
  return speakScope(plan.prompt.card.scope, plan.prompt.body, plan.variables) ?? line('howCanIHelp');
}

/** A colleague now, else a callback, else nothing but the way on. */
export function offerPerson(situation: Situation): string[] {
  const { has, line } = situation;
  if (has('transfer_call')) return [ask(situation, 'human_consent', line('offerHuman'))];
  return offerCallback(situation);
}

function offerCallback(situation: Situation): string[] {
  const { has, line } = situation;
  if (!has('schedule_callback')) return [ask(situation, 'more', line('anythingElse'))];
  return [ask(situation, 'callback_consent', line('offerCallback'))];
}

function noteTopic(situation: Situation, offer: (situation: Situation) => string[]): string[] {
  situation.memory.topic = situation.heard;
  return offer(situation);
}

async function askWhenReachable(situation: Situation): Promise<Reply> {
  const { plan, line, has, memory, said, heard } = situation;
  if (plan.direction === 'INBOUND') return undefined;
  if (said.has('callback') && findVagueTime(heard)) return promiseCallback(situation);
  if (!has('schedule_callback'))
    return endWith(situation, [line('cannotNoteCallback')], 'somebody else answered');
  memory.topic = situation.heard;
  const name =
    plan.variables['name'] ?? plan.variables['first_name'] ?? plan.variables['firstName'] ?? 'them';
  return [ask(situation, 'callback_time', line('whenReachable', { name }))];
}

/** Something hurts, leaks or burns: what the documents say for it, then the next appointment or a colleague. */
async function helpHurt(situation: Situation): Promise<Reply> {
  const { line, memory, heard, moment, said } = situation;
  memory.topic = heard;
  const isDanger = findEmergency(heard)?.kind === 'danger';
  if (said.has('language'))
    return [line(isDanger ? 'danger' : 'sorryHurt'), line('onlyEnglish'), ...offerPerson(situation)];
  const advice = await lookUp(situation, heard, { within: OF_EMERGENCIES, sure: SURE });
  if (isDanger && advice === undefined) return [line('danger')];
  const words = [line('sorryHurt'), ...(advice === undefined ? [] : [advice])];
  if (!canBook(situation) || memory.hasBooked) return [...words, ...offerPerson(situation)];
  memory.isBooking = true;
  if (moment?.date !== undefined) return [...words, ...(await takeSlot(situation, moment))];
  return [
    ...words,
    ...(advice === undefined ? [line('helpSoon')] : []),
    ...(await beginSteps(situation, true)),
  ];
}

async function handOver(situation: Situation): Promise<Reply> {
  const { memory, line, has, useTool, heard } = situation;
  if (!has('transfer_call')) return [ask(situation, 'message', line('takeMessage'))];
  const isOffered = memory.awaiting === 'human_consent';
  await useTool('transfer_call', { reason: (isOffered ? topicOf(situation) : heard).slice(0, 300) });
  return [line('handingOver')];
}

/** The agent has no calendar: a cancellation is noted for somebody who has. */
async function noteCancellation(situation: Situation): Promise<Reply> {
  const { has, useTool, line, memory, heard, moment } = situation;
  const instead = /\b(?:instead|rather)\b/i.test(heard) && moment;
  memory.topic = heard;
  if (instead) return takeSlot(situation, instead);
  if (!has('schedule_callback')) return [line('cancelUnnoted'), ask(situation, 'more', line('anythingElse'))];
  await useTool('schedule_callback', { when: 'to confirm the cancellation', topic: heard.slice(0, 300) });
  const canMove = has('book_appointment') && !memory.hasBooked;
  return [
    line('cancelNoted'),
    canMove
      ? ask(situation, 'slot_consent', line('otherInstead'))
      : ask(situation, 'more', line('anythingElse')),
  ];
}

/** The day that was said first is the one that does not suit; another one may be named beside it. */
async function offerOtherSlot(situation: Situation): Promise<Reply> {
  const { memory, line, moment, heard, plan } = situation;
  memory.topic ||= heard;
  memory.slot = NO_SLOT;
  memory.isBooking = true;
  memory.hasBooked = false;
  // What is asked before a first booking was answered then.
  if (plan.direction === 'INBOUND') memory.nextStep = memory.steps.length;
  if (moment)
    return takeSlot(situation, {
      ...moment,
      date: moment.date ?? momentOf(situation, plan.prompt.opening)?.date,
    });
  return [ask(situation, 'slot', line('whichOther'))];
}

export async function promiseCallback(situation: Situation): Promise<Reply> {
  const { memory, line, has, useTool, heard } = situation;
  if (!has('schedule_callback'))
    return endWith(situation, [line('cannotNoteCallback')], 'the person has no time now');
  const when = findVagueTime(heard);
  await useTool('schedule_callback', { when: when ?? 'no particular time', topic: topicOf(situation) });
  memory.topic = '';
  return [
    line('callbackNoted', { when: when ?? 'at another time' }),
    ask(situation, 'more', line('anythingElse')),
  ];
}

async function startBooking(situation: Situation): Promise<Reply> {
  const { memory, moment, has, plan } = situation;
  const mayBook = plan.direction === 'INBOUND' ? has('book_appointment') : canBook(situation);
  if (memory.hasBooked || (!mayBook && !moment)) return undefined;
  memory.isBooking = true;
  if (moment) return takeSlot(situation, moment);
  return beginSteps(situation, TELLS_WHY.test(situation.heard));
}

/** The prompt's questions from the first one that is not answered by what was just said. */
export async function beginSteps(situation: Situation, tellsProblem: boolean): Promise<string[]> {
  const { memory, heard } = situation;
  const first = memory.steps[memory.nextStep];
  if (tellsProblem && first && memory.answers.length === 0 && ASKS_PROBLEM.test(first.ask)) {
    memory.answers.push({ question: first.ask, answer: heard, isNo: false });
    memory.nextStep += 1;
  }
  return memory.steps.length > memory.nextStep ? advance(situation) : [askForSlot(situation)];
}

const TELLS_WHY = /\b(?:about|because|regarding|concerning)\b/i;
export const ASKS_PROBLEM =
  /\b(?:problem|issue|wrong|trouble|happened|reason|matter|concern|about|needs? to be done)\b/i;
