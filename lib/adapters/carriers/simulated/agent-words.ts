/**
 * What a simulated person makes of the agent's last words. Only their meaning counts: an agent with a language model
 * says the same in many ways, and the keyless agent changes its lines.
 */
const ACTS = {
  isFarewell:
    /\b(good ?bye|bye|have a (nice|good|great|lovely|wonderful|pleasant) (day|one|evening|week|weekend|rest|afternoon)|take care)\b/,
  asksWhen:
    /\b(what|which) (day|date|time|other)|\bwhen (would|should|can|could|is|are|do|suits|works)|\bwhat time|\bbest time|\bdate and time\b.*\?|\bdo you have a (time|day)|\bsuits? you best|\banother (day|time|date)\b.*\?/,
  asksToConfirm:
    /\b(is that|is this|that is|sound|sounds) (right|correct|good|okay|ok)\b.*\?|\bcorrect\?|\bright\?|\bdoes that (work|suit|sound|fit)|\bshall i (book|put|enter|make|note)|\bconfirm\b.*\?|\bwould that (work|suit|be)|\bis that (time|day)?.*\bfor you\?/,
  asksForMore:
    /\banything else|\bany (other|more|further) questions?|\banything (more|further)|\belse i can\b|\bany questions?\b|\banything you('d| would) like to know|\bsomething else\b.*\?/,
  asksToRepeat:
    /\b(repeat|say (that|it) again|didn't (quite )?(catch|understand|get|hear)|did not (quite )?(catch|understand|get|hear)|pardon|come again|rephrase|another way|not sure i understand)\b/,
  asksWhetherThere: /\b(are you (still )?there|can you hear me|still on the line|anybody there)\b/,
  asksForMessage:
    /\b(take|leave|pass on) (a|your|the|along a)? ?message|\bwhat (is it|should i|may i|shall i|can i) .*(about|tell|pass|say)|\bwhat would you like .*(know|tell)/,
  asksForName:
    /\b(your (full )?name|who am i speaking|who('s| is) (calling|this|speaking)|may i ask who|am i speaking (with|to)|is this (mr|mrs|ms|dr)?\.? ?[a-z]+\?)/,
  asksForReason:
    /\b(what is (it|this|that|your call) (about|regarding|concerning|for)|what (would|will) (it|the visit|the appointment) be for|what brings you|reason for|what do you need|what would you like to (come in|see))\b/,
  asksWellbeing:
    /\bhow (are|do|is|have|has) (you|your|the|it|things|everything) ?(feeling|feel|doing|been|going|tooth|healing)?\b.*\?/,
  asksStillWorks:
    /\b(still (work|suit|fit|good|fine|okay|possible|convenient|come)|will you (be there|come|make it)|can you (still )?(come|make it))\b.*\?/,
  asksForMoment:
    /\b(do|would|is|have|got) (you |this |now )?.*\b(a (moment|minute|good time|good moment|convenient)|time to talk|two minutes)\b.*\?/,
  offersCallback:
    /\b(shall|should|would|can|could|may|do)\b.*\b(call|ring|phone) (you )?(back|again|later)\b.*\?|\bcall ?back\b.*\?/,
  offersHuman:
    /\b(would you like|shall|should|do you want|may|can)\b.*\b(connect|transfer|put you through|speak (to|with)|talk (to|with)|a colleague)\b.*\?/,
  hasBooked:
    /\b(booked|you're all set|you are all set|(is|have|has been) (scheduled|confirmed|reserved)|see you (on|then|next|mon|tues|wednes|thurs|fri)|i've (put|scheduled|entered)|i have (put|scheduled|entered)|looking forward to)\b/,
  refusesTime:
    /\b(closed|not open|aren't open|isn't open|already taken|not (free|available)|no longer (free|available)|fully booked|already (past|passed)|in the past|not possible|outside (of )?(our|opening|the))\b/,
  isHandingOver:
    /^(?!.*\b(can't|cannot|unable|not able|would you like|shall i|nobody|no one)\b).*\b(transfer(ring)? you|connect(ing)? you|put(ting)? you through|hand(ing)? you over)\b/s,
  cannotHelp:
    /\b(don't|do not|doesn't|didn't) (know|have)|\bnot (sure|certain|able)|\bunable\b|\b(can't|cannot|could not|couldn't) (say|answer|help|tell|find|connect|see)|\bunfortunately\b|\bcall you back\b|\bcolleague\b|\bi('m| am) afraid\b/,
} as const satisfies Record<string, RegExp>;

export type AgentWords = Record<keyof typeof ACTS, boolean> & {
  asksAnything: boolean;
  /** What was said, in lower case. */
  text: string;
};

export function understandAgent(text: string): AgentWords {
  const lower = text.toLowerCase().replaceAll('’', "'");
  const acts = Object.fromEntries(Object.entries(ACTS).map(([act, pattern]) => [act, pattern.test(lower)]));
  return { ...NO_ACTS, ...acts, asksAnything: lower.includes('?'), text: lower };
}

const NO_ACTS: Record<keyof typeof ACTS, boolean> = {
  isFarewell: false,
  asksWhen: false,
  asksToConfirm: false,
  asksForMore: false,
  asksToRepeat: false,
  asksWhetherThere: false,
  asksForMessage: false,
  asksForName: false,
  asksForReason: false,
  asksWellbeing: false,
  asksStillWorks: false,
  asksForMoment: false,
  offersCallback: false,
  offersHuman: false,
  hasBooked: false,
  refusesTime: false,
  isHandingOver: false,
  cannotHelp: false,
};
