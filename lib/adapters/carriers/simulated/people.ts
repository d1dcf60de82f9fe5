import {
  askingPerson,
  bookingPerson,
  briefPerson,
  callbackPerson,
  decliningPerson,
  humanSeekingPerson,
  interruptingPerson,
} from './characters.ts';
import { answering, pickUp } from './conversing.ts';
import type { Person } from './leg.ts';

type PersonFactory = (isInbound: boolean) => Person;

/** The table of simulated numbers: the last two digits of the person's number decide. */
const PEOPLE: Record<string, PersonFactory> = {
  '01': (isInbound) => answering(isInbound, bookingPerson),
  '02': (isInbound) => answering(isInbound, callbackPerson),
  '03': (isInbound) => answering(isInbound, decliningPerson),
  '04': (isInbound) => answering(isInbound, humanSeekingPerson),
  '05': voicemail,
  '06': fullMailbox,
  '07': () => noAnswer,
  '08': () => busyLine,
  '09': () => networkFailure,
  '10': hangingUpAtOnce,
  '11': (isInbound) => answering(isInbound, interruptingPerson),
  '12': silentPerson,
  '13': (isInbound) => answering(isInbound, askingPerson),
};

/** Whoever is at `personNumber`; every number not listed behaves like 00. */
export function personFor(personNumber: string, isInbound: boolean): Person {
  const lastTwoDigits = personNumber.replace(/\D/g, '').slice(-2);
  const factory = PEOPLE[lastTwoDigits];
  return factory ? factory(isInbound) : answering(isInbound, briefPerson);
}

const MAX_MESSAGE_MS = 60_000;

function voicemail(isInbound: boolean): Person {
  return async (end) => {
    await pickUp(end, isInbound, 'machine');
    await end.wait(600);
    await end.say(
      end.random.pick([
        "Hello, you have reached my voicemail. I can't take your call right now. Please leave a message after the tone.",
        "Hi, sorry I missed you. Leave your name and a message after the beep, and I'll get back to you.",
        'The person you are calling is not available. Please leave your message after the tone.',
      ]),
    );
    await end.wait(500);
    await end.beep();
    await end.ear.listen({ quietMs: 5_000, patienceMs: MAX_MESSAGE_MS });
    end.hangUp();
  };
}

function fullMailbox(isInbound: boolean): Person {
  return async (end) => {
    await pickUp(end, isInbound, 'machine');
    await end.wait(600);
    await end.say(
      end.random.pick([
        'The mailbox you have reached is full and cannot accept any messages at this time. Goodbye.',
        'The person you are calling is not available, and this mailbox is full. Please try again later. Goodbye.',
      ]),
    );
    await end.wait(1_200);
    end.hangUp();
  };
}

const noAnswer: Person = async (end) => {
  await end.wait(500);
  end.ring();
  await end.wait(25_000);
  end.neverConnect('no_answer');
};

const busyLine: Person = async (end) => {
  await end.wait(1_500);
  end.neverConnect('busy');
};

const networkFailure: Person = async (end) => {
  await end.wait(900);
  end.neverConnect('network_failure');
};

function hangingUpAtOnce(isInbound: boolean): Person {
  return async (end) => {
    await pickUp(end, isInbound, 'human');
    await end.wait(end.random.between(500, 900));
    end.hangUp();
  };
}

/** Holds the line and says nothing, until somebody ends it. */
function silentPerson(isInbound: boolean): Person {
  return async (end) => {
    await pickUp(end, isInbound, 'human');
    for (;;) await end.wait(60_000);
  };
}
