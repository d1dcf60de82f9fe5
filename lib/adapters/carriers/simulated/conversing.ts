import type { AgentWords } from './agent-words.ts';
import { understandAgent } from './agent-words.ts';
import type { FarEnd, Person } from './leg.ts';

/** What a person does next: says a line, and after a goodbye waits for the agent's before hanging up. */
export type Reply = { say: string; isFarewell?: boolean };

export type Character = {
  /** Called each time the agent has finished speaking; `turn` counts from 1. Undefined: says nothing and waits. */
  reply(agent: AgentWords, turn: number): Reply | undefined;
  /** Said in the middle of the agent's first long sentence. */
  interruption?: string;
};

/** After this many answers a person has had enough, whatever the agent says. */
const MAX_TURNS = 12;
const QUIET_BEFORE_REPLY_MS = 700;
const PATIENCE_MS = 9_000;
/** How long a person stays on the line for the other's goodbye. */
const AFTER_FAREWELL_MS = 4_000;

/** Holds a conversation in character: waits until the agent has finished, thinks for a moment, answers. */
export async function converse(end: FarEnd, character: Character): Promise<void> {
  let lastLine = 'Hello?';
  let silences = 0;
  let interruption = character.interruption;

  for (let turn = 1; turn <= MAX_TURNS; turn += 1) {
    const heard = await end.ear.listen({
      quietMs: QUIET_BEFORE_REPLY_MS,
      patienceMs: PATIENCE_MS,
      ...(interruption === undefined ? {} : { interruptAtShare: end.random.between(0.3, 0.5) }),
    });
    if (heard.type === 'mid_sentence' && interruption !== undefined) {
      await end.say(interruption);
      interruption = undefined;
      continue;
    }
    if (heard.type === 'nothing') {
      silences += 1;
      if (silences > 2) return end.hangUp();
      await end.say(silences === 1 ? 'Hello? Are you still there?' : 'Hello?');
      continue;
    }
    const agent = understandAgent(heard.text);
    const pauseMs = end.random.between(150, 700);
    if (agent.isFarewell) {
      await end.wait(pauseMs);
      return sayFarewell(end, end.random.pick(['Goodbye.', 'Bye.', 'Thanks, bye.']));
    }
    const reply = agent.asksToRepeat
      ? { say: lastLine }
      : agent.asksWhetherThere
        ? { say: end.random.pick(["Yes, I'm here.", "Yes, I'm still here.", 'Yes, I can hear you.']) }
        : character.reply(agent, turn);
    if (!reply) continue;
    lastLine = reply.say;
    await end.wait(pauseMs);
    if (reply.isFarewell) return sayFarewell(end, reply.say);
    await end.say(reply.say);
  }
  return sayFarewell(end, 'I have to go now. Goodbye.');
}

async function sayFarewell(end: FarEnd, line: string): Promise<void> {
  await end.say(line);
  await end.ear.listen({ quietMs: 2_500, patienceMs: AFTER_FAREWELL_MS });
  end.hangUp();
}

/** A person who picks up after a few rings and then talks in character. */
export function answering(isInbound: boolean, createCharacter: (end: FarEnd) => Character): Person {
  return async (end) => {
    await pickUp(end, isInbound, 'human');
    await converse(end, createCharacter(end));
  };
}

export async function pickUp(end: FarEnd, isInbound: boolean, by: 'human' | 'machine'): Promise<void> {
  await end.wait(end.random.between(300, 900));
  if (!isInbound) {
    end.ring();
    await end.wait(end.random.between(2_500, 6_000));
  }
  end.answer(by);
}
