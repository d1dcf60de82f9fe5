import type { SimulatedPerson } from '#lib/ports/simulated-person.ts';
import { mentions } from '#lib/text/mentions.ts';
import { type AgentWords, understandAgent } from './agent-words.ts';

/** What a played person says next, and what they do then. */
export type CallerLine = {
  say: string;
  /** `farewell`: waits for the agent's goodbye before hanging up. */
  next: 'listen' | 'farewell' | 'hang_up';
};

/** Decides what a played person says. */
export type CallerPart = {
  /** Asked when the agent has finished speaking, with its words. Undefined: says nothing and waits. */
  reply(heard: string): Promise<CallerLine | undefined>;
  /** Whether they have something to say without being asked. */
  hasMore(): boolean;
};

/** So often a fact is told, a question is answered that the script does not know, a line is repeated. */
const MOST_TIMES = 2;

/** Follows the script of a scenario: conditions first, then what the agent asks for, then the next line. */
export function createScriptedCaller(person: SimulatedPerson): CallerPart {
  const inOrder = person.script.filter(({ when }) => when === null).map(({ say }) => say);
  const conditional = person.script.flatMap(({ say, when }) => (when === null ? [] : [{ say, when }]));
  const told = new Map<string, number>();
  let last = '';

  const line = (say: string, next: CallerLine['next'] = 'listen'): CallerLine => {
    last = say;
    return { say, next };
  };
  /** Counts how often something was done; false where that was enough. */
  const again = (what: string): boolean => {
    const times = told.get(what) ?? 0;
    told.set(what, times + 1);
    return times < MOST_TIMES;
  };

  function answerTo(agent: AgentWords, heard: string): CallerLine | undefined {
    const met = conditional.findIndex(({ when }) => mentions(heard, when));
    const [said] = met < 0 ? [] : conditional.splice(met, 1);
    if (said) return line(said.say);
    const asked = questionsIn(heard);
    const isAsked = (about: string) => mentions(asked, about) || (agent.asksForName && isName(about));
    const fact = person.facts.find(({ about }) => isAsked(about));
    if (fact && again(`fact ${fact.about}`)) return line(fact.answer);
    if (agent.asksToRepeat && last !== '' && again('repeat')) return line(last);
    return undefined;
  }

  /** What anybody says who has said what they wanted. */
  function afterScript(agent: AgentWords, heard: string): CallerLine | undefined {
    if (agent.isHandingOver) return undefined;
    if (agent.asksToConfirm && again('confirm')) return line('Yes.');
    if (agent.asksWhetherThere && again('there')) return line("Yes, I'm here.");
    const asked = questionsIn(heard);
    if (asked === '' || agent.asksForMore || !again('unknown')) return line(person.closing, 'farewell');
    return line(OPEN_QUESTION.test(asked) ? "I don't know, sorry." : 'No, thank you.');
  }

  return {
    hasMore: () => inOrder.length > 0,
    async reply(heard) {
      const agent = understandAgent(heard);
      if (agent.isFarewell) return line('Goodbye.', 'farewell');
      const answer = answerTo(agent, heard);
      if (answer) return answer;
      const following = inOrder.shift();
      if (following === undefined) return afterScript(agent, heard);
      const isOver = inOrder.length === 0 && person.manner === 'hangs_up';
      return line(following, isOver ? 'hang_up' : 'listen');
    },
  };
}

const OPEN_QUESTION = /\b(what|which|when|where|who|whose|why|how)\b/i;

const isName = (about: string) => /^\s*(your |the )?name\s*$/i.test(about);

/** The sentences of a text that ask; the whole text where it asks without a question mark ("your name, please"). */
function questionsIn(text: string): string {
  const questions = text.match(/[^.!?]*\?/g) ?? [];
  if (questions.length > 0) return questions.join(' ').trim();
  return ASKING.test(text) ? text : '';
}

const ASKING =
  /\b(tell me|give me|please (say|spell|repeat)|may i have|could i have|i need your|let me know)\b/i;
