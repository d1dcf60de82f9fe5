import { type Caller, type Character, goodbye, type Reply } from './conversing.ts';

/** 00 and every number not listed: friendly, brief; answers what the agent asks and books nothing. */
export function briefPerson({ random, manner, isInbound, ...rest }: Caller): Character {
  const caller = { random, manner, isInbound, ...rest };
  let hasThanked = false;
  const thank = (lines: readonly [string, ...string[]]): Reply => {
    hasThanked = true;
    return { say: random.pick(lines) };
  };
  return {
    reply({ agent, turn, mood }) {
      if (agent.asksWellbeing)
        return thank([
          "I'm doing fine, thank you for asking.",
          'Much better already, thanks.',
          'Very well, thank you. No complaints at all.',
        ]);
      if (agent.asksStillWorks && turn <= 2)
        return thank([
          "Yes, that's fine. I have it in my calendar.",
          "Yes, I'll be there.",
          'Yes, thank you for the reminder.',
        ]);
      if (turn === 1)
        return { say: `${random.pick(manner.hello)} ${random.pick(isInbound ? INBOUND_OPENERS : OPENERS)}` };
      if (agent.asksForMore || agent.offersHuman || agent.offersCallback || turn > 4)
        return goodbye(caller, Math.min(mood, 0));
      if (agent.asksWhen || agent.asksToConfirm)
        return thank([
          'Let me look at my calendar first. Thanks for asking.',
          'I need to check my diary first, but thank you.',
          'I have to talk to my family first. Thanks for the offer.',
        ]);
      if (!hasThanked)
        return thank([
          'Okay, thanks for letting me know.',
          'I see. Good to know, thank you.',
          'All right, thank you for telling me.',
        ]);
      return goodbye(caller, Math.min(mood, 0));
    },
  };
}

const OPENERS = [
  "Sure, what's this about?",
  'Yes, I have a minute. What is it about?',
  'How can I help you?',
  'What can I do for you?',
] as const;
const INBOUND_OPENERS = [
  'What can you do for me?',
  'What do you help people with?',
  'I got your number from a friend. How can you help me?',
] as const;

/** Times at which nearly everybody is open. The first is asked for, the others are what the person falls back on. */
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday'] as const;
const TIMES = [
  'at 3 pm',
  'at ten thirty',
  'at 2 pm',
  'at 11 am',
  'at half past nine',
  'at 10 am',
  'at 4 pm',
] as const;
const SAFE_TIMES = ['at 10 am', 'at 11 am', 'at 2 pm'] as const;

/** 01: wants a definite day and time, and takes it, or another where that one cannot be had. */
export function bookingPerson(caller: Caller): Character {
  const { random, manner } = caller;
  let day: string = random.pick(DAYS);
  let slot = `next ${day} ${random.pick(TIMES)}`;
  let timesNamed = 0;
  let timesConfirmed = 0;
  const nameSlot = (line: string): Reply => {
    timesNamed += 1;
    return { say: line };
  };
  const nameAnother = (): Reply => {
    const index = timesNamed % SAFE_TIMES.length;
    day = DAYS[(DAYS.indexOf('Monday') + timesNamed) % DAYS.length] ?? day;
    slot = `next ${day} ${SAFE_TIMES[index] ?? SAFE_TIMES[0]}`;
    return nameSlot(
      random.pick([`Then ${slot}, please.`, `I see. What about ${slot}?`, `Could we do ${slot} instead?`]),
    );
  };
  return {
    reason: random.pick(['A check-up, please.', 'Just a regular visit.', "It's about a first visit."]),
    reply({ agent, mood }) {
      if (agent.refusesTime && timesNamed > 0 && timesNamed < 5) return nameAnother();
      if (agent.hasBooked && timesNamed > 0 && !agent.asksToConfirm) return goodbye(caller, mood + 1);
      if (timesNamed === 0) return nameSlot(`${random.pick(manner.hello)} ${random.pick(wishesFor(slot))}`);
      if (agent.asksToConfirm && timesConfirmed < 3) {
        timesConfirmed += 1;
        const other = otherDayIn(agent.text, day);
        if (other && timesConfirmed === 1) return { say: `No, not ${other}. I said ${slot}.` };
        return { say: random.pick(manner.yes) };
      }
      if (timesNamed < 4)
        return nameSlot(agent.asksWhen ? `${capitalize(slot)}, please.` : `So, can you book me in ${slot}?`);
      return goodbye(caller, -1);
    },
  };
}

function wishesFor(slot: string): readonly [string, ...string[]] {
  return [
    `I'd like to make an appointment. Could we do ${slot}?`,
    `Good that we speak. I would like to book an appointment ${slot}.`,
    `An appointment ${slot} would suit me well.`,
    `I'd like to come in for an appointment ${slot}, if that is possible.`,
    `I need an appointment. How about ${slot}?`,
  ];
}

/** Another day than the one asked for, where the agent repeats a wrong one. */
function otherDayIn(text: string, day: string): string | undefined {
  if (text.includes(day.toLowerCase())) return undefined;
  const other = /\b(monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b/.exec(text)?.[1];
  return other ? capitalize(other) : undefined;
}

/** 02: has no time now, and names no slot either. */
export function callbackPerson(caller: Caller): Character {
  const { random } = caller;
  return {
    reply({ agent, turn }) {
      if (turn === 1) {
        return {
          say: random.pick([
            "I'm a bit busy right now. Could you call me back later?",
            "This isn't a good moment, I'm afraid. Please call me back another time.",
            "I'm in a meeting. Can you call me again sometime next week?",
            "Sorry, I'm driving. Could you call me back later?",
            'I have visitors at the moment. Please call me again next week.',
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
      if (turn <= 3 && (agent.offersCallback || agent.asksToConfirm))
        return { say: 'Yes, please call me back later.' };
      return {
        say: random.pick(['Thank you. Goodbye.', 'All right, talk to you then. Bye.', 'Thanks. Bye.']),
        isFarewell: true,
      };
    },
  };
}

/** 03: declines, a little annoyed; never in words that would put the number on the opt-out list. */
export function decliningPerson({ random }: Caller): Character {
  return {
    reply({ turn }) {
      if (turn === 1) {
        return {
          say: random.pick([
            "No, I'm not interested. This is really annoying.",
            'Not interested, thanks. I find this rather annoying.',
            "Oh, not again. I'm not interested, how annoying.",
            "You again? I'm not interested, and it is annoying.",
            "I'm not interested. You are disturbing my lunch, and not for the first time.",
          ]),
        };
      }
      if (turn === 2)
        return {
          say: random.pick([
            "I said I'm not interested. This is annoying.",
            'I told you, I am not interested. It is really annoying.',
          ]),
        };
      return { say: random.pick(['Goodbye.', 'Bye.']), isFarewell: true };
    },
  };
}

/** 04: wants to talk to a person. */
export function humanSeekingPerson(caller: Caller): Character {
  const { random, manner } = caller;
  let timesAsked = 0;
  let hasLeftMessage = false;
  return {
    reply({ agent, mood }) {
      if (agent.isHandingOver && !agent.asksForMessage && timesAsked > 0) return undefined;
      if (hasLeftMessage) return goodbye(caller, Math.min(mood, 0));
      if (timesAsked === 0 || (timesAsked < 2 && !agent.asksForMessage && !agent.cannotHelp)) {
        timesAsked += 1;
        if (timesAsked > 1) return { say: "I'd really like to speak to a person, please." };
        return {
          say: `${random.pick(manner.hello)} ${random.pick([
            'Could I talk to a real person, please?',
            "I'd rather speak to a human. Can you put me through to someone?",
            'Can I speak with a human agent, please?',
            'Could you put me through to one of your colleagues, please?',
          ])}`,
        };
      }
      if (agent.asksForMessage && !hasLeftMessage) {
        hasLeftMessage = true;
        return {
          say: random.pick([
            'Please tell them it is about my last invoice.',
            "It's about a question on my contract. Somebody should get in touch.",
            'It is about the letter I got from you last week.',
          ]),
        };
      }
      return goodbye(caller, Math.min(mood, 0));
    },
  };
}

/** 11: cuts in while the agent is speaking, then is as brief as anybody. */
export function interruptingPerson(caller: Caller): Character {
  return {
    ...briefPerson(caller),
    interruption: caller.random.pick([
      'Sorry, wait a second. Who is this, please?',
      'Hang on, sorry. Who is calling please?',
      'Wait, wait, sorry. Where are you calling from?',
    ]),
  };
}

const DEFAULT_QUESTION = 'What are your opening hours?';

/** 13: asks what the variable `question` says; pleased with an answer, not with anything else. */
export function askingPerson(caller: Caller): Character {
  const { random, variables } = caller;
  const question = variables.question?.trim() || DEFAULT_QUESTION;
  let hasAsked = false;
  return {
    reply({ agent, mood }) {
      if (!hasAsked) {
        hasAsked = true;
        return { say: `${random.pick(caller.manner.hello)} ${question}`, question };
      }
      if (agent.cannotHelp)
        return {
          say: random.pick([
            "No, that's fine. Thank you, goodbye.",
            'No need, thanks anyway. Goodbye.',
            'No, thank you. What a pity. Goodbye.',
          ]),
          isFarewell: true,
        };
      if (mood <= 0) return goodbye(caller, mood);
      return {
        say: random.pick([
          "Great, that's all I wanted to know. Thank you, goodbye.",
          'Thanks, that helps. Goodbye.',
          'Perfect, thank you. Goodbye.',
        ]),
        isFarewell: true,
      };
    },
  };
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
