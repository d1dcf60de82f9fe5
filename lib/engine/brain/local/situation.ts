import type { CallPlan } from '#lib/engine/plan.ts';
import { lastQuestion } from '#lib/text/abbreviations.ts';
import type { Emergency } from '#lib/text/emergencies.ts';
import { namesOf } from './address-to-person.ts';
import type { Lines } from './lines.ts';
import type { OpeningHours } from './opening-hours.ts';
import { findPurpose } from './purpose.ts';
import { type Order, readClosing, readRules, type Rule } from './rules.ts';
import { findSpokenMoment, type SpokenMoment } from './spoken-moment.ts';
import { readSteps, type Step } from './steps.ts';
import { createUnderstanding, type Saying, type Understanding } from './understand.ts';

/** What the agent asked last and expects an answer to. */
export type Awaiting =
  | 'slot'
  | 'slot_confirmation'
  | 'step'
  | 'callback_time'
  | 'callback_consent'
  | 'human_consent'
  /** Whether another day, or a visit at all, is wanted. */
  | 'slot_consent'
  | 'message'
  | 'more'
  | OpeningQuestion;

/** What an opening can ask: for a moment, for somebody by name, for a confirmation, how somebody is, something else. */
export type OpeningQuestion = 'moment' | 'identity' | 'confirm' | 'wellbeing' | 'help' | 'fact';

/** What the local brain keeps between turns. */
export type Memory = {
  awaiting: Awaiting | undefined;
  /** The open question in the words in which it was asked, to come back to after something else. */
  asked: string;
  slot: SpokenMoment;
  isBooking: boolean;
  hasBooked: boolean;
  steps: readonly Step[];
  nextStep: number;
  /** What the prompt says to do when something is said, and to say at the end of its questions. */
  rules: readonly Rule[];
  closing: readonly Order[];
  /** What was answered to the steps, in order. */
  answers: { question: string; answer: string; isNo: boolean }[];
  /** Undefined before it was looked up, null where nobody says them. */
  openingHours: OpeningHours | null | undefined;
  /** What an open offer (a callback, a colleague) would be about. */
  topic: string;
  /** What was told of pain or danger, for whoever calls back; from then on nothing cheerful is said. */
  emergency: Emergency | undefined;
  purpose: string | undefined;
  /** What was spoken of last: "it" in a question. */
  subject: string;
  hasStatedPurpose: boolean;
  timesNotUnderstood: number;
  lastSaid: string;
  understand(heard: string, isAnswer?: boolean): Promise<Understanding>;
  /** The same, with the act for an emergency where neither table nor examples knew its words. */
  withEmergency(understood: Understanding, emergency: Emergency): Understanding;
  /** What the table alone knows of a text. */
  readTable(text: string): Saying[];
};

export type Situation = {
  plan: CallPlan;
  memory: Memory;
  line: Lines;
  has(toolName: string): boolean;
  useTool(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
  heard: string;
  said: Understanding;
  moment: SpokenMoment | undefined;
};

/** What the agent says, sentence by sentence; undefined where this is not the answer. */
export type Reply = string[] | undefined;

export const NO_SLOT: SpokenMoment = { date: undefined, time: undefined };
/** What a purpose is about: "the check-up" of "to find a day and time for the check-up". */
const SUBJECT = /\b(?:for|about|that|because|of)\s+(.+?)(?=\s+(?:is|are|was|runs?|has|have|and|by|on)\b|$)/i;
const TITLES = /\b(?:mr|mrs|ms|miss|dr|prof)\b\.?/gi;

export function createMemory(plan: CallPlan): Memory {
  const isOutbound = plan.direction === 'OUTBOUND';
  const purpose = isOutbound ? findPurpose(plan.prompt.body, plan.variables) : undefined;
  return {
    awaiting: isOutbound ? openingQuestion(plan.prompt.opening) : undefined,
    asked: '',
    slot: NO_SLOT,
    isBooking: isOutbound && isAboutBooking(plan, purpose),
    hasBooked: false,
    steps: readSteps(plan.prompt.body, plan.variables),
    nextStep: 0,
    rules: readRules(plan.prompt.body, plan.variables),
    closing: readClosing(plan.prompt.body, plan.variables),
    answers: [],
    openingHours: undefined,
    topic: '',
    emergency: undefined,
    purpose,
    subject: purpose?.match(SUBJECT)?.[1] ?? '',
    hasStatedPurpose: purpose !== undefined && isSaidBy(plan.prompt.opening, purpose),
    timesNotUnderstood: 0,
    lastSaid: plan.prompt.opening,
    ...createUnderstanding(
      namesOf(plan.variables).flatMap((name) => name.replace(TITLES, '').match(/\p{L}+/gu) ?? []),
    ),
  };
}

const OPENING_QUESTIONS: readonly [RegExp, OpeningQuestion][] = [
  [
    /\b(?:may|can|could) i (?:please )?(?:speak|talk) (?:to|with)\b|\bis (?:this|that) \S+[^.]*\?|\bam i (?:speaking|talking) (?:to|with)\b/i,
    'identity',
  ],
  [/\bhow (?:are|is|do) (?:you|it|everything)\b[^?]*(?:feel|doing|today|going|been)?[^?]*\?/i, 'wellbeing'],
  [/\bhow (?:can|may) (?:i|we) help|what can (?:i|we) do for you/i, 'help'],
  [/\b(?:moment|minute|time|second|good time|convenient)\b[^.]*\?$/i, 'moment'],
  [
    /\b(?:still|confirm|work for you|works for you|coming|make it|all right with you|okay for you)\b[^.]*\?$/i,
    'confirm',
  ],
];

const YES_OR_NO = /^(?:\w+, )?(?:have|has|do|does|did|are|is|was|will|would|can|could) /i;

/** What an answer to the opening's last question would mean. */
function openingQuestion(opening: string): OpeningQuestion | undefined {
  const last = lastQuestion(opening) ?? '';
  const known = OPENING_QUESTIONS.find(([pattern]) => pattern.test(last))?.[1];
  return known ?? (YES_OR_NO.test(last) ? 'fact' : undefined);
}

/** Whether most of what the purpose says was in the opening already. */
function isSaidBy(opening: string, purpose: string): boolean {
  const contentWords = (text: string) => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  const said = new Set(contentWords(opening));
  const wanted = contentWords(purpose);
  return wanted.length > 0 && wanted.filter((word) => said.has(word)).length / wanted.length >= 0.6;
}

export const APPOINTMENT =
  /\b(?:appointment|book(?:ing)?|schedul\w*|reservation|meeting|demo|consultation|visit|day and time)\b/i;
const TO_ARRANGE = /\b(?:schedule|book|arrange|set up|invite|offer|make|find|agree on)\b/i;

/** Whether the call is meant to end with an appointment. */
function isAboutBooking(plan: CallPlan, purpose: string | undefined): boolean {
  return APPOINTMENT.test(plan.prompt.body) && TO_ARRANGE.test(purpose ?? '');
}

export function canBook({ plan, has }: Pick<Situation, 'plan' | 'has'>): boolean {
  return has('book_appointment') && APPOINTMENT.test(`${plan.prompt.body} ${plan.prompt.card.scope ?? ''}`);
}

const ADDRESSES_AGENT = /^\s*(?:you|your)\b/i;

/** What the call can be about, in a few words, for tools that note it; with what was answered to the prompt's questions. */
export function topicOf({ plan, memory }: Pick<Situation, 'plan' | 'memory'>): string {
  const { scope } = plan.prompt.card;
  const subject =
    memory.topic ||
    memory.purpose?.replace(/^(?:to|about|because) /, '') ||
    // "You are the assistant of …" is said to the agent, and would stand in somebody's calendar.
    (scope !== null && !ADDRESSES_AGENT.test(scope) ? scope : '') ||
    `A call with ${plan.prompt.card.businessName}`;
  const answers = memory.answers.map(({ question, answer }) => `${question} ${answer}`);
  const first = memory.emergency && !subject.includes(memory.emergency.said) ? [memory.emergency.said] : [];
  return [...first, subject, ...answers].join(' | ').slice(0, 300);
}

/** Asks something, and remembers what the answer will be to. */
export function ask({ memory }: Pick<Situation, 'memory'>, awaiting: Awaiting, question: string): string {
  memory.awaiting = awaiting;
  memory.asked = question;
  return question;
}

/** The day and time that a text names, seen from the call's beginning. */
export function momentOf({ plan }: Pick<Situation, 'plan'>, text: string): SpokenMoment | undefined {
  return findSpokenMoment(text, plan.startedAt, plan.timeZone);
}

/** "Is there anything else?", or the question that is still open. */
export function goOnAsking(situation: Situation): string {
  const { memory, line } = situation;
  const isOpen = ['slot', 'slot_confirmation', 'step'].includes(memory.awaiting ?? '');
  return isOpen && memory.asked !== '' ? memory.asked : ask(situation, 'more', line('anythingElse'));
}
