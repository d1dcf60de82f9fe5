import { speakMoment } from '#lib/engine/spoken-time.ts';
import { toInstant } from '#lib/engine/zoned-time.ts';
import { type Rule, type Situation, topicOf } from './situation.ts';
import type { SpokenMoment } from './spoken-moment.ts';

/** The person answers "is that right?". */
export const confirmSlot: Rule = async (situation) => {
  const { memory, said, moment, line } = situation;
  if (memory.awaiting !== 'slot_confirmation') return undefined;
  if (moment && !said.agrees) return agreeOnSlot(situation, moment);
  if (said.agrees) return book(situation);
  if (said.refuses) {
    memory.slot = { date: undefined, time: undefined };
    memory.awaiting = 'slot';
    return [line('whichSlot')];
  }
  return undefined;
};

/** The person names a day, a time, or both. */
export const takeSlot: Rule = async (situation) => {
  const { memory, said, moment } = situation;
  if (!moment) return undefined;
  const isExpected = memory.awaiting === 'slot' || memory.awaiting === 'callback_time';
  const isProposal =
    said.wantsAppointment ||
    said.suitsMe ||
    said.wantsCallback ||
    (!said.isQuestion && !memory.hasBooked && moment.date !== undefined && moment.time !== undefined);
  if (!isExpected && !isProposal) return undefined;
  // "Call me back next week" and "some time on Monday" leave the time open on purpose.
  const isVague = moment.time === undefined && (said.wantsCallback || memory.awaiting === 'callback_time');
  return isVague ? undefined : agreeOnSlot(situation, moment);
};

/** The person wants an appointment and has not said when. */
export const askForSlot: Rule = async ({ said, moment, memory, line, has, heard }) => {
  if (moment || memory.hasBooked || said.isFarewell || !has('book_appointment')) return undefined;
  if (!said.wantsAppointment || said.refuses) return undefined;
  // "How can I book?" asks for a fact, "Can I make an appointment?" for a slot.
  if (said.isQuestion && /\b(?:how|where|what|which|who|when|why)\b/i.test(heard)) return undefined;
  if (
    said.isQuestion &&
    !/\b(?:can|could|may) (?:i|we|you)\b.*\b(?:book|schedule|make|arrange|get|reserve|come|meet)/i.test(heard)
  )
    return undefined;
  memory.awaiting = 'slot';
  return [line('whichSlot')];
};

async function agreeOnSlot(situation: Situation, moment: SpokenMoment): Promise<string[]> {
  const { memory, line, plan } = situation;
  memory.slot = { date: moment.date ?? memory.slot.date, time: moment.time ?? memory.slot.time };
  memory.awaiting = 'slot';
  const { date, time } = memory.slot;
  if (date === undefined) return [line('whichDay')];
  if (time === undefined) return [line('whichTime', { day: speakDay(date) })];
  const startsAt = toInstant(`${date}T${time}`, plan.timeZone);
  if (!startsAt || startsAt <= plan.startedAt) {
    memory.slot = { date: undefined, time: undefined };
    return [line('slotPast')];
  }
  memory.awaiting = 'slot_confirmation';
  return [line('confirmSlot', { slot: speakMoment(startsAt, plan.timeZone) })];
}

async function book(situation: Situation): Promise<string[]> {
  const { memory, line, plan, has, useTool } = situation;
  const { date, time } = memory.slot;
  const startsAt = date && time ? toInstant(`${date}T${time}`, plan.timeZone) : undefined;
  if (!startsAt) return [line('whichSlot')];
  const slot = speakMoment(startsAt, plan.timeZone);
  memory.awaiting = 'more';
  if (!has('book_appointment')) {
    if (has('schedule_callback'))
      await useTool('schedule_callback', { when: slot, topic: topicOf(situation) });
    return [line('slotNoted', { slot }), line('anythingElse')];
  }
  const result = await useTool('book_appointment', { date, time, topic: topicOf(situation) });
  if (result.ok !== true) {
    memory.awaiting = 'slot';
    return [line('slotPast')];
  }
  memory.hasBooked = true;
  return [line('booked', { slot }), line('anythingElse')];
}

function speakDay(date: string): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    weekday: 'long',
    month: 'long',
    day: 'numeric',
  }).format(new Date(`${date}T00:00:00Z`));
}
