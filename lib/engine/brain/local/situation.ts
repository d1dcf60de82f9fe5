import type { CallPlan } from '#lib/engine/plan.ts';
import type { Lines } from './lines.ts';
import { findPurpose } from './purpose.ts';
import type { SpokenMoment } from './spoken-moment.ts';
import type { Understanding } from './understand.ts';

/** What the agent asked last and expects an answer to. */
export type Awaiting =
  | 'slot'
  | 'slot_confirmation'
  | 'callback_time'
  | 'callback_consent'
  | 'human_consent'
  | 'message'
  | 'more';

/** What the local brain keeps between turns. */
export type Memory = {
  awaiting: Awaiting | undefined;
  slot: SpokenMoment;
  /** What an open offer (a callback, a colleague) would be about. */
  topic: string;
  purpose: string | undefined;
  hasStatedPurpose: boolean;
  hasBooked: boolean;
  timesNotUnderstood: number;
  lastSaid: string;
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

/** One rule of the policy: undefined where it does not apply, else what to say, sentence by sentence. */
export type Rule = (situation: Situation) => Promise<string[] | undefined>;

export function createMemory(plan: CallPlan): Memory {
  const purpose = plan.direction === 'OUTBOUND' ? findPurpose(plan.prompt.body, plan.variables) : undefined;
  return {
    awaiting: undefined,
    slot: { date: undefined, time: undefined },
    topic: '',
    purpose,
    hasStatedPurpose: purpose !== undefined && isSaidBy(plan.prompt.opening, purpose),
    hasBooked: false,
    timesNotUnderstood: 0,
    lastSaid: plan.prompt.opening,
  };
}

/** Whether most of what the purpose says was in the opening already. */
function isSaidBy(opening: string, purpose: string): boolean {
  const contentWords = (text: string) => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  const said = new Set(contentWords(opening));
  const wanted = contentWords(purpose);
  return wanted.length > 0 && wanted.filter((word) => said.has(word)).length / wanted.length >= 0.6;
}

/** What the call can be about, in a few words, for tools that note it. */
export function topicOf({ plan, memory }: Pick<Situation, 'plan' | 'memory'>): string {
  return (
    memory.topic ||
    memory.purpose?.replace(/^(?:to|about|because) /, '') ||
    plan.prompt.card.scope ||
    `A call with ${plan.prompt.card.businessName}`
  ).slice(0, 300);
}

export function isAboutAppointments({ plan }: Pick<Situation, 'plan'>): boolean {
  return /\b(appointment|book(ing)?|schedul\w*|reservation|meeting|demo|consultation|visit)\b/i.test(
    plan.prompt.body,
  );
}
