import { splitSentences } from '#lib/engine/brain/sentences.ts';
import { toSpokenText } from '#lib/engine/brain/spoken-text.ts';
import type { CallPlan } from '#lib/engine/plan.ts';
import { findAnswer } from './answer.ts';
import { speakScope } from './scope.ts';
import { isAboutAppointments, type Rule, type Situation } from './situation.ts';

/** "Are you a robot?" gets the card's line, word for word. */
export const disclose: Rule = async ({ plan, said }) =>
  said.asksWhetherAi ? [plan.prompt.card.aiDisclosure] : undefined;

export const repeat: Rule = async ({ said, memory }) => {
  if (!said.asksToRepeat || memory.lastSaid === '') return undefined;
  return [memory.lastSaid];
};

export const hold: Rule = async ({ said, line, memory }) => {
  if (said.cannotHear && !said.asksWhy)
    return [line('iAmHere'), ...(memory.awaiting === 'slot' ? [line('whichSlot')] : [])];
  return said.asksToWait && !said.isQuestion ? [line('takeYourTime')] : undefined;
};

/** Who calls, for whom, and why. */
export const introduce: Rule = async (situation) => {
  const { said, plan, memory } = situation;
  if (!said.asksWho && !said.asksWhy && !said.asksScope) return undefined;
  const { personaName, businessName } = plan.prompt.card;
  const words: string[] = [];
  if (said.asksWho)
    words.push(
      personaName ? `This is ${personaName} from ${businessName}.` : `You are speaking with ${businessName}.`,
    );
  if (plan.direction === 'INBOUND' || said.asksScope) words.push(offerHelp(situation));
  else if (said.asksWhy || !memory.hasStatedPurpose) words.push(...statePurpose(situation));
  return words;
};

export const smallTalk: Rule = async (situation) => {
  if (!situation.said.asksHowAreYou) return undefined;
  const goesOn =
    situation.memory.hasStatedPurpose || situation.plan.direction === 'INBOUND'
      ? [situation.line('howCanIHelp')]
      : statePurpose(situation);
  return [situation.line('fine'), ...goesOn];
};

/** A question of fact: from the documents, else from the prompt's own facts, else the agent does not know. */
export const answerQuestion: Rule = async (situation) => {
  const { said, heard, has, memory, line } = situation;
  if (!said.isQuestion) return undefined;
  const answer = await lookUp(situation);
  if (answer) return answered(situation, answer);
  if (said.wantsAppointment && has('book_appointment') && !memory.hasBooked) {
    memory.awaiting = 'slot';
    return [line('whichSlot')];
  }
  memory.topic = heard;
  if (said.isOffTopic) {
    memory.awaiting = 'more';
    return [line('outOfScope'), offerHelp(situation)];
  }
  return [line('unknown'), ...offerPerson(situation)];
};

/** Something neutral: the agent goes on with what it called for. */
export const goOn: Rule = async (situation) => {
  const { said, memory, line, plan, heard } = situation;
  const isShort = heard.split(/\s+/).length <= 12;
  const declinesOffer =
    (memory.awaiting === 'callback_consent' || memory.awaiting === 'human_consent') && said.refuses;
  if (declinesOffer) {
    memory.awaiting = 'more';
    return [line('noProblem'), line('anythingElse')];
  }
  if (plan.direction === 'OUTBOUND' && !memory.hasStatedPurpose) return statePurpose(situation);
  if (memory.awaiting === 'slot' && said.refuses) {
    memory.awaiting = 'more';
    return [line('noProblem'), line('anythingElse')];
  }
  if (memory.awaiting === 'slot' && said.agrees && !said.thanks) return [line('whichSlot')];
  if (said.isGreeting && isShort && plan.direction === 'INBOUND') return [line('howCanIHelp')];
  const isAcknowledged = said.agrees || said.thanks || said.refuses || said.isGreeting;
  if (
    !isAcknowledged &&
    !(
      memory.hasStatedPurpose &&
      /^(i see|good to know|interesting|got it|understood|let me|i need to|i will|i'll)\b/i.test(heard)
    )
  )
    return undefined;
  memory.awaiting = 'more';
  return [said.thanks ? line('welcome') : line('noProblem'), line('anythingElse')];
};

/** A few misunderstandings are forgiven; then somebody else should talk to the person. */
export const notUnderstood = async (situation: Situation): Promise<string[]> => {
  const { memory, line } = situation;
  // "Opening hours on Saturday" is a question too, to somebody who can look it up.
  const answer = await lookUp(situation);
  if (answer) return answered(situation, answer);
  memory.timesNotUnderstood += 1;
  if (memory.timesNotUnderstood <= 2) return [line('didNotUnderstand')];
  memory.topic = situation.heard;
  return [line('outOfScope'), ...offerPerson(situation)];
};

/** The answer from the documents, else from what the prompt states. */
async function lookUp({ heard, plan, has, useTool }: Situation): Promise<string | undefined> {
  if (has('search_knowledge')) {
    const { results } = await useTool('search_knowledge', { query: questionIn(heard) });
    const answer = findAnswer(heard, textsOf(results));
    if (answer) return answer;
  }
  return findAnswer(heard, [factsOf(plan)]);
}

/** The question without the greeting around it. */
function questionIn(heard: string): string {
  const asked = splitSentences(heard).filter((sentence) => sentence.endsWith('?'));
  return (asked.length > 0 ? asked.join(' ') : heard).slice(0, 500);
}

function answered({ memory, line }: Situation, answer: string): string[] {
  memory.awaiting = 'more';
  return [answer, line('anythingElse')];
}

function offerPerson({ has, memory, line }: Situation): string[] {
  if (has('transfer_call')) {
    memory.awaiting = 'human_consent';
    return [line('offerHuman')];
  }
  if (has('schedule_callback')) {
    memory.awaiting = 'callback_consent';
    return [line('offerCallback')];
  }
  memory.awaiting = 'more';
  return [line('anythingElse')];
}

function statePurpose(situation: Situation): string[] {
  const { memory, plan, line, has } = situation;
  memory.hasStatedPurpose = true;
  const purpose = memory.purpose
    ? `I am calling ${memory.purpose}.`
    : `I am calling on behalf of ${plan.prompt.card.businessName}. ${offerHelp(situation)}`;
  if (
    has('book_appointment') &&
    isAboutAppointments(situation) &&
    /\b(schedule|book|arrange|set up|invite|offer|make|find)\b/i.test(memory.purpose ?? '')
  ) {
    memory.awaiting = 'slot';
    return [purpose, line('whichSlot')];
  }
  return [purpose, line('questions')];
}

/** What the agent helps with; said kindly where something else was asked. */
function offerHelp({ plan, line }: Situation): string {
  return speakScope(plan.prompt.card.scope, plan.prompt.body, plan.variables) ?? line('howCanIHelp');
}

const INSTRUCTION =
  /\b(?:you|your|never|always|don't|do not|must|should|if|when|callers?|customers?|the person|agent|assistant|say|ask|tell|keep|be|speak|use|offer|respond|answer|politely)\b/i;

/** What the prompt states as facts ("We are open from nine to five."), without what it tells the agent to do. */
function factsOf(plan: CallPlan): string {
  const facts = plan.prompt.body
    .split('\n')
    .filter((row) => !/^\s{0,3}#/.test(row))
    .flatMap((row) => splitSentences(toSpokenText(row)))
    .filter((sentence) => !INSTRUCTION.test(sentence) && sentence.split(' ').length >= 3);
  const variables = Object.entries(plan.variables)
    .filter(([name, value]) => name !== 'question' && value.trim() !== '' && value.length < 200)
    .map(
      ([name, value]) =>
        `The ${name
          .replace(/([a-z])([A-Z])/g, '$1 $2')
          .replace(/[_-]+/g, ' ')
          .toLowerCase()} is ${value}.`,
    );
  const opening = splitSentences(plan.prompt.opening).filter((sentence) => !sentence.endsWith('?'));
  return [...opening, ...facts, ...variables].join('\n');
}

function textsOf(results: unknown): string[] {
  if (!Array.isArray(results)) return [];
  return results.flatMap((hit: unknown) =>
    typeof hit === 'object' && hit !== null && 'text' in hit && typeof hit.text === 'string'
      ? [hit.text]
      : [],
  );
}
