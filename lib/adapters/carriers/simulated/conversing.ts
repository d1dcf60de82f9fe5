import { type AgentWords, understandAgent } from './agent-words.ts';
import type { FarEnd, Person } from './leg.ts';
import { farewellLine, type Manner, nameOf, pickManner } from './manners.ts';
import { createListener, type Objection } from './objections.ts';
import { askAgain } from './questions.ts';

/** What a person does next: says a line, and after a goodbye waits for the agent's before hanging up. */
export type Reply = {
  say: string;
  isFarewell?: boolean;
  /** Asked with the line: the person minds when the next words of the agent have nothing to do with it. */
  question?: string;
};

/** What a person goes by when it is their turn. `mood` is above zero when they were helped, below when they were not. */
export type Moment = { agent: AgentWords; turn: number; mood: number };

export type Character = {
  /** Called each time the agent has finished speaking; `turn` counts from 1. Undefined: says nothing and waits. */
  reply(moment: Moment): Reply | undefined;
  /** Said in the middle of the agent's first long sentence. */
  interruption?: string;
  /** Told when the agent asks what it is about. */
  reason?: string;
};

/** A person on this call: the far end they speak through, how they talk, and from which side the call came. */
export type Caller = Omit<FarEnd, 'variables'> & {
  variables: Record<string, string>;
  manner: Manner;
  name: string;
  isInbound: boolean;
};

/** After this many answers a person has had enough, whatever the agent says. */
const MAX_TURNS = 12;
/** Objections before a person gives up and goes on with what they wanted. */
const MAX_OBJECTIONS = 2;
const QUIET_BEFORE_REPLY_MS = 700;
const PATIENCE_MS = 9_000;
/** How long a person stays on the line for the other's goodbye. */
const AFTER_FAREWELL_MS = 4_000;

/** Runs a conversation in character: waits until the agent has finished, thinks for a moment, answers. */
export async function converse(caller: Caller, character: Character): Promise<void> {
  const react = createReactions(caller, character);
  let silences = 0;
  let interruption = character.interruption;

  for (let turn = 1; turn <= MAX_TURNS; turn += 1) {
    const heard = await caller.ear.listen({
      quietMs: QUIET_BEFORE_REPLY_MS,
      patienceMs: PATIENCE_MS,
      ...(interruption === undefined ? {} : { interruptAtShare: caller.random.between(0.3, 0.5) }),
    });
    if (heard.type === 'mid_sentence' && interruption !== undefined) {
      await caller.say(interruption);
      interruption = undefined;
      continue;
    }
    if (heard.type === 'nothing') {
      silences += 1;
      if (silences > 2) return caller.hangUp();
      await caller.say(silences === 1 ? 'Hello? Are you still there?' : 'Hello?');
      continue;
    }
    const pauseMs = caller.random.between(150, 700);
    const reply = react(heard.text, turn);
    if (!reply) continue;
    await caller.wait(pauseMs);
    if (reply.isFarewell) return sayFarewell(caller, reply.say);
    await caller.say(reply.say);
  }
  return sayFarewell(caller, 'I have to go now. Goodbye.');
}

/** What anybody does before their own business: says goodbye back, repeats, gives their name, minds nonsense. */
function createReactions(caller: Caller, character: Character) {
  const { random, manner, name } = caller;
  const listener = createListener();
  let last: Reply = { say: 'Hello?' };
  let mood = 0;
  let objections = 0;
  let timesNamed = 0;
  let timesRepeated = 0;
  let hasGivenReason = false;

  function own(agent: AgentWords, turn: number): Reply | undefined {
    const reply = character.reply({ agent, turn, mood });
    if (reply) last = reply;
    return reply;
  }

  function object(objection: Objection, agent: AgentWords, turn: number): Reply | undefined {
    objections += 1;
    mood -= 1;
    const { question } = last;
    if (objections > MAX_OBJECTIONS) {
      if (question === undefined) return own(agent, turn);
      return { say: random.pick(manner.annoyed), isFarewell: true };
    }
    const complaint = random.pick(COMPLAINTS[objection]);
    if (question !== undefined)
      return { say: `${complaint} ${objections === 1 ? askAgain(question) : question}` };
    const reply = own(agent, turn);
    return reply && { ...reply, say: `${complaint} ${reply.say}` };
  }

  return (text: string, turn: number): Reply | undefined => {
    const agent = understandAgent(text);
    const objection = listener.objectionTo(text, agent.cannotHelp ? undefined : last.question);
    if (agent.isFarewell) {
      const isShort = last.question !== undefined && objection === 'no answer';
      return {
        say: random.pick(isShort ? manner.annoyed : ['Goodbye.', 'Bye.', 'Thanks, bye.']),
        isFarewell: true,
      };
    }
    if (agent.asksToRepeat && turn > 1 && timesRepeated < 1) {
      timesRepeated += 1;
      return { say: last.question === undefined ? last.say : askAgain(last.question) };
    }
    if (agent.asksWhetherThere)
      return { say: random.pick(["Yes, I'm here.", "Yes, I'm still here.", 'Yes, I can hear you.']) };
    // Whoever is asked for a yes or a no gives it first.
    const isMinded = objection === 'odd time' || !(agent.isHandingOver || agent.asksToConfirm);
    if (objection && isMinded) return object(objection, agent, turn);
    if (last.question !== undefined) mood += agent.cannotHelp ? -1 : 1;
    if (agent.asksForName && turn > 1 && timesNamed < 2) {
      timesNamed += 1;
      return {
        say: /speaking (with|to)|is this/.test(agent.text) ? 'Yes, speaking.' : `My name is ${name}.`,
      };
    }
    if (agent.asksForReason && !agent.asksForMessage && character.reason !== undefined && !hasGivenReason) {
      hasGivenReason = true;
      return { say: character.reason };
    }
    return own(agent, turn);
  };
}

const COMPLAINTS: Record<Objection, readonly [string, ...string[]]> = {
  'a heading': ['Sorry, what does that mean?', "I'm sorry, that made no sense to me."],
  'said before': ['You told me that already.', 'Yes, you said that before.'],
  'no answer': ["That's not what I asked.", "Sorry, that doesn't answer my question."],
  'odd time': [
    'At that hour? You are surely closed then.',
    "That can't be right, nobody is there at that hour.",
  ],
};

async function sayFarewell(end: Pick<FarEnd, 'say' | 'ear' | 'hangUp'>, line: string): Promise<void> {
  await end.say(line);
  await end.ear.listen({ quietMs: 2_500, patienceMs: AFTER_FAREWELL_MS });
  end.hangUp();
}

/** Says goodbye, by how the call went. */
export function goodbye({ manner, random }: Caller, mood: number): Reply {
  return { say: farewellLine(manner, random, mood), isFarewell: true };
}

/** A person who picks up after a few rings and then talks in character. */
export function answering(isInbound: boolean, createCharacter: (caller: Caller) => Character): Person {
  return async (end) => {
    await pickUp(end, isInbound, 'human');
    const caller: Caller = {
      ...end,
      isInbound,
      manner: pickManner(end.random),
      variables: end.variables(),
      name: nameOf(end.variables(), end.random),
    };
    await converse(caller, createCharacter(caller));
  };
}

export async function pickUp(end: FarEnd, isInbound: boolean, by: 'human' | 'machine'): Promise<void> {
  await end.wait(end.random.between(300, 900));
  if (!isInbound) {
    end.ring();
    await end.wait(end.random.between(2_500, 6_000));
  } else {
    await end.accepted();
  }
  end.answer(by);
}
