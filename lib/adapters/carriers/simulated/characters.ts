import type { AgentWords } from './agent-words.ts';
import type { Character, Reply } from './conversing.ts';
import type { FarEnd } from './leg.ts';
import type { Random } from './random.ts';

const FAREWELLS = [
  "No, that's all. Thank you, goodbye.",
  "No, that's everything. Thanks, bye.",
  "That's all, thank you. Goodbye.",
] as const;
const FINISHED = [
  'Okay, thank you. Goodbye.',
  'All right, thanks. Goodbye.',
  'Fine, thank you. Bye.',
] as const;

/** Says goodbye with one of the lines. */
function farewell(random: Random, lines: readonly [string, ...string[]]): Reply {
  return { say: random.pick(lines), isFarewell: true };
}

/** 00 and every number not listed: friendly, brief. */
export function briefPerson({ random }: FarEnd, isInbound: boolean): Character {
  const first: readonly [string, ...string[]] = isInbound
    ? ['Hello. I just wanted to hear what you can do for me.', 'Hi there. What do you help people with?']
    : [
        "Hello. Sure, what's this about?",
        'Hi, yes, I have a minute. What is it about?',
        'Oh hello. How can I help you?',
      ];
  return {
    reply(agent, turn) {
      if (turn === 1) return { say: random.pick(first) };
      if (agent.asksForMore || turn > 4) return farewell(random, FAREWELLS);
      if (agent.asksWhen) {
        return {
          say: random.pick([
            'Let me look at my calendar first. Thanks for asking.',
            'I need to check my diary first, but thank you.',
          ]),
        };
      }
      if (turn === 2) {
        return {
          say: random.pick([
            'Okay, that sounds good. Thanks for letting me know.',
            'I see. Good to know, thank you.',
            'All right, thank you for telling me.',
          ]),
        };
      }
      return agent.asksAnything ? farewell(random, FAREWELLS) : farewell(random, FINISHED);
    },
  };
}

const SLOTS = [
  'next Tuesday at 3 pm',
  'on Thursday at ten thirty',
  'next Wednesday at 2 pm',
  'on Friday at 11 am',
  'next Monday at half past nine',
] as const;

/** 01: wants a definite day and time, and takes it. */
export function bookingPerson({ random }: FarEnd): Character {
  const slot = random.pick(SLOTS);
  let timesNamed = 0;
  let isConfirmed = false;
  const nameSlot = (line: string): Reply => {
    timesNamed += 1;
    return { say: line };
  };
  return {
    reply(agent) {
      if (agent.hasBooked && timesNamed > 0 && !agent.asksToConfirm) {
        return farewell(random, [
          'Great, thank you. Goodbye.',
          'Perfect, thanks a lot. Bye.',
          'Wonderful, thank you. Goodbye.',
        ]);
      }
      if (agent.asksToConfirm && timesNamed > 0 && !isConfirmed) {
        isConfirmed = true;
        return { say: random.pick(["Yes, that's right.", 'Yes, that works for me.', 'Yes, perfect.']) };
      }
      if (timesNamed === 0) {
        return nameSlot(
          random.pick([
            `Yes, I'd like to make an appointment. Could we do ${slot}?`,
            `Hi, good that we speak. I would like to book an appointment ${slot}.`,
            `Hello. An appointment ${slot} would suit me well.`,
          ]),
        );
      }
      if (timesNamed < 3)
        return nameSlot(agent.asksWhen ? `${capitalize(slot)}, please.` : `So, can you book me in ${slot}?`);
      return farewell(random, FINISHED);
    },
  };
}

/** 02: has no time now, and names no slot either. */
export function callbackPerson({ random }: FarEnd): Character {
  return {
    reply(agent, turn) {
      if (turn === 1) {
        return {
          say: random.pick([
            "I'm a bit busy right now. Could you call me back later?",
            "This isn't a good moment, I'm afraid. Please call me back another time.",
            "I'm in a meeting. Can you call me again sometime next week?",
          ]),
        };
      }
      if (turn <= 3 && agent.asksWhen && !agent.asksForMore) {
        return {
          say: random.pick([
            "I can't say yet. Just try me some time next week.",
            "I don't know my schedule yet. Some time later is fine.",
          ]),
        };
      }
      return farewell(random, ['Thank you. Goodbye.', 'Great, talk to you then. Bye.', 'Thanks. Bye.']);
    },
  };
}

/** 03: declines, a little annoyed. */
export function decliningPerson({ random }: FarEnd): Character {
  return {
    reply(_agent, turn) {
      if (turn === 1) {
        return {
          say: random.pick([
            "No, I'm not interested. This is really annoying.",
            "Not interested, thanks. I'm tired of these calls.",
            "Oh, not again. I'm not interested, please stop calling me.",
          ]),
        };
      }
      if (turn === 2) return { say: "I said I'm not interested. Please don't call again." };
      return farewell(random, ['Goodbye.', 'Bye.']);
    },
  };
}

/** 04: wants to talk to a person. */
export function humanSeekingPerson({ random }: FarEnd): Character {
  let timesAsked = 0;
  let hasLeftMessage = false;
  return {
    reply(agent) {
      if (agent.isHandingOver && !agent.asksForMessage && timesAsked > 0) return undefined;
      if (hasLeftMessage) return farewell(random, FINISHED);
      if (timesAsked === 0 || (timesAsked < 2 && !agent.asksForMessage && !agent.cannotHelp)) {
        timesAsked += 1;
        return {
          say:
            timesAsked === 1
              ? random.pick([
                  'Could I talk to a real person, please?',
                  "I'd rather speak to a human. Can you put me through to someone?",
                  'Can I speak with a human agent, please?',
                ])
              : "I'd really like to speak to a person, please.",
        };
      }
      if (agent.asksForMessage && !hasLeftMessage) {
        hasLeftMessage = true;
        return {
          say: random.pick([
            'Please tell them it is about my last invoice.',
            "It's about a question on my contract. Somebody should get in touch.",
          ]),
        };
      }
      return farewell(random, FINISHED);
    },
  };
}

/** 11: cuts in while the agent is speaking, then is as brief as anybody. */
export function interruptingPerson(end: FarEnd, isInbound: boolean): Character {
  const afterwards = briefPerson(end, isInbound);
  return {
    interruption: end.random.pick([
      'Sorry, wait a second. Who is this, please?',
      'Hang on, sorry. Who is calling please?',
      'Wait, wait, sorry. Where are you calling from?',
    ]),
    reply: (agent, turn) => afterwards.reply(agent, turn),
  };
}

const DEFAULT_QUESTION = 'What are your opening hours?';

/** 13: asks what the variable `question` says. */
export function askingPerson({ random, variables }: FarEnd): Character {
  const question = variables.question?.trim() || DEFAULT_QUESTION;
  let timesAsked = 0;
  return {
    reply(agent: AgentWords) {
      if (timesAsked === 0) {
        timesAsked += 1;
        return { say: `${random.pick(['Hello.', 'Hi there.', 'Hi.'])} ${question}` };
      }
      if (agent.cannotHelp)
        return farewell(random, ["No, that's fine. Thank you, goodbye.", 'No need, thanks anyway. Goodbye.']);
      return farewell(random, [
        "Great, that's all I wanted to know. Thank you, goodbye.",
        'Thanks, that helps. Goodbye.',
      ]);
    },
  };
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
