/** What a simulated person makes of the agent's last words. An agent with a language model may say anything. */
export type AgentWords = {
  isFarewell: boolean;
  asksWhen: boolean;
  asksToConfirm: boolean;
  asksForMore: boolean;
  asksToRepeat: boolean;
  asksWhetherThere: boolean;
  asksForMessage: boolean;
  asksForName: boolean;
  hasBooked: boolean;
  isHandingOver: boolean;
  cannotHelp: boolean;
  asksAnything: boolean;
};

export function understandAgent(text: string): AgentWords {
  const lower = text.toLowerCase();
  const says = (pattern: RegExp) => pattern.test(lower);
  return {
    isFarewell: says(
      /\b(good ?bye|bye|have a (nice|good|great|lovely|wonderful|pleasant) (day|one|evening|week|weekend|rest)|take care)\b/,
    ),
    asksWhen: says(
      /\b(what|which) (day|date|time)|\bwhen (would|should|can|could|is|are|do|suits|works)|\bwhat time|\bbest time|\bdate and time\b.*\?|\bdo you have a (time|day)|\bsuits? you best/,
    ),
    asksToConfirm: says(
      /\b(is that|is this|sound|sounds) (right|correct|good|okay|ok)\b|\bcorrect\?|\bdoes that (work|suit|sound)|\bshall i (book|put)|\bconfirm\b.*\?/,
    ),
    asksForMore: says(
      /\banything else|\bany (other|more|further) questions?|\banything (more|further)|\belse i can\b|\bany questions?\b|\banything you'd like to know/,
    ),
    asksToRepeat: says(
      /\b(repeat|say that again|didn't (quite )?(catch|understand|get)|pardon|come again|rephrase|another way)\b/,
    ),
    asksWhetherThere: says(/\b(are you (still )?there|can you hear me|still on the line)\b/),
    asksForMessage: says(
      /\b(take|leave|pass on) (a|your|the) message|\bwhat (is it|should i|may i) .*(about|tell)|\bwhat would you like .*(know|tell)/,
    ),
    asksForName: says(
      /\b(your name|who am i speaking|am i speaking (with|to)|is this [a-z]+\?|may i ask who)\b/,
    ),
    hasBooked: says(
      /\b(booked|you're all set|you are all set|(is|have|has been) (scheduled|confirmed|reserved)|see you (on|then)|i've (put|noted|scheduled))\b/,
    ),
    isHandingOver:
      says(/\b(transfer(ring)? you|connect(ing)? you|put(ting)? you through|hand(ing)? you over)\b/) &&
      !says(/\b(can't|cannot|unable|not able|would you like|shall i)\b/),
    cannotHelp: says(
      /\b(don't|do not|doesn't) (know|have)|\bnot (sure|certain|able)|\bunable\b|\bcan't (say|answer|help)|\bunfortunately\b|\bcall you back\b|\bcolleague\b/,
    ),
    asksAnything: lower.includes('?'),
  };
}
