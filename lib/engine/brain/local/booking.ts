import { dateFormat } from '#lib/date-format.ts';
import { speakMoment } from '#lib/engine/spoken-time.ts';
import { toInstant } from '#lib/engine/zoned-time.ts';
import { openingHours } from './facts.ts';
import { isOpenAt, type OpeningHours, spansOn, speakOpeningHours } from './opening-hours.ts';
import { hasCalendar, offerTimes, readOffer } from './calendar-times.ts';
import { ask, goOnAsking, NO_SLOT, type Reply, type Situation, topicOf } from './situation.ts';
import type { SpokenMoment } from './spoken-moment.ts';

/** Where nobody says when the business is open, only these hours are booked without asking somebody. */
const USUAL_HOURS = { from: '07:00', until: '21:00' };

/** Asks the prompt's next question, or for the day and time; confirms the slot once everything is answered. */
export async function advance(situation: Situation): Promise<string[]> {
  const { memory, line } = situation;
  for (let step = memory.steps[memory.nextStep]; step; step = memory.steps[memory.nextStep]) {
    const wasNo = memory.answers.at(-1)?.isNo;
    const isDue = step.after === undefined || (wasNo !== undefined && (step.after === 'no') === wasNo);
    if (isDue && step.kind === 'question') return [ask(situation, 'step', step.ask)];
    if (isDue && !isComplete(memory.slot) && memory.isBooking) return [askForSlot(situation)];
    memory.nextStep += 1;
  }
  if (!memory.isBooking || memory.hasBooked) {
    const closing = memory.closing.flatMap((order) => (order.kind === 'say' ? [order.text] : []));
    return [line('thanksForThat'), ...closing, ask(situation, 'more', line('anythingElse'))];
  }
  return isComplete(memory.slot) ? [confirm(situation)] : [askForSlot(situation)];
}

/** The person's words are the answer to the step that was asked. */
export async function takeAnswer(situation: Situation): Promise<string[]> {
  const { memory, said, heard } = situation;
  const question = memory.steps[memory.nextStep]?.ask ?? '';
  // "Go on then" lets the agent ask, and answers no "how".
  if (memory.answers.length === 0 && ASKS_WHAT.test(question) && isBareYes(situation)) return [question];
  memory.answers.push({ question, answer: heard, isNo: said.has('no') && !said.has('yes') });
  memory.nextStep += 1;
  return advance(situation);
}

const ASKS_WHAT = /^(?:may i ask |could you tell me )?(?:how|what|which|when|where|who|why|your|the)\b/i;

function isBareYes({ said, heard }: Situation): boolean {
  const isManners = said.acts.every(({ act }) => ['yes', 'thanks', 'acknowledge', 'greeting'].includes(act));
  return said.has('yes') && isManners && heard.split(' ').length <= 7 && !/\d/.test(heard);
}

/** Takes a day, a time, or both, where they can be had. */
export async function takeSlot(situation: Situation, moment: SpokenMoment): Promise<string[]> {
  const { memory, line, plan, heard } = situation;
  const hours = await openingHours(situation);
  memory.slot = inOpenHalf(hours, heard, {
    date: moment.date ?? memory.slot.date,
    time: moment.time ?? memory.slot.time,
  });
  memory.isBooking = true;
  memory.awaiting = 'slot';
  const { date, time } = memory.slot;
  if (date === undefined) return [askForSlot(situation)];
  const isInCalendar = hasCalendar(situation);
  if (isInCalendar && time === undefined) return offerDay(situation, date);
  const isClosed =
    !isInCalendar &&
    hours &&
    (time === undefined ? spansOn(hours, date).length === 0 : !isOpenAt(hours, date, time));
  const startsAt = time === undefined ? undefined : toInstant(`${date}T${time}`, plan.timeZone);
  const isPast = time !== undefined && (!startsAt || startsAt <= plan.startedAt);
  if (!isPast && !isClosed) {
    const next = await advance(situation);
    const isStep = next.includes(memory.steps[memory.nextStep]?.ask ?? '');
    // A question of the prompt comes first; the person hears that the day was understood.
    const slot = time === undefined ? speakDay(date) : spokenSlot(situation);
    return isStep ? [line('slotHeld', { slot }), ...next] : next;
  }
  memory.slot = NO_SLOT;
  const refusal =
    hours && isClosed ? line('closedThen', { hours: speakOpeningHours(hours) }) : line('slotPast');
  return [ask(situation, 'slot', refusal)];
}

/** "Is that right?" was answered. */
export async function confirmSlot(situation: Situation): Promise<Reply> {
  const { memory, said, moment } = situation;
  if (moment && !said.has('yes')) return takeSlot(situation, moment);
  if (said.has('no') || said.has('move') || said.has('cancel')) {
    memory.slot = NO_SLOT;
    return [askForSlot(situation)];
  }
  return said.has('yes') ? book(situation) : undefined;
}

export function askForSlot(situation: Situation): string {
  const { memory, line } = situation;
  const { date, time } = memory.slot;
  if (date !== undefined) return ask(situation, 'slot', line('whichTime', { day: speakDay(date) }));
  return ask(situation, 'slot', line(time === undefined ? 'whichSlot' : 'whichDay'));
}

function confirm(situation: Situation): string {
  const slot = spokenSlot(situation);
  return ask(situation, 'slot_confirmation', situation.line('confirmSlot', { slot }));
}

async function book(situation: Situation): Promise<string[]> {
  const { memory, line, has, useTool } = situation;
  const { date, time = '' } = memory.slot;
  const slot = spokenSlot(situation);
  const isUsual = USUAL_HOURS.from <= time && time < USUAL_HOURS.until;
  memory.awaiting = undefined;
  const isInCalendar = hasCalendar(situation);
  if (!has('book_appointment') || (!isInCalendar && !memory.openingHours && !isUsual)) {
    if (has('schedule_callback'))
      await useTool('schedule_callback', { when: slot, topic: topicOf(situation) });
    memory.isBooking = false;
    return [line('slotNoted', { slot }), goOnAsking(situation)];
  }
  const result = await useTool('book_appointment', { date, time, topic: topicOf(situation) });
  if (result['ok'] !== true) {
    if (isInCalendar) return refusedByCalendar(situation, slot, result);
    memory.slot = NO_SLOT;
    return [ask(situation, 'slot', line('slotPast'))];
  }
  memory.hasBooked = true;
  return [line('booked', { slot }), goOnAsking(situation)];
}

/** What is free on the day that the person named, or next. */
async function offerDay(situation: Situation, date: string): Promise<string[]> {
  const { memory, line } = situation;
  const offer = await offerTimes(situation, date, speakDay);
  if (!offer) return [askForSlot(situation)];
  memory.slot = { ...NO_SLOT, date: offer.date };
  const question = offer.date === undefined ? line('whichSlot') : 'Which of these suits you?';
  return [offer.spoken, ask(situation, 'slot', question)];
}

/** The time is taken, or the calendar cannot be reached: another one is offered, or the wish is noted. */
async function refusedByCalendar(
  situation: Situation,
  slot: string,
  result: Record<string, unknown>,
): Promise<string[]> {
  const { memory, line, has, useTool } = situation;
  const { reason } = result;
  const offer = readOffer(result, speakDay);
  const why = offer && typeof reason === 'string' ? reason : CALENDAR_FAILED;
  const words = [why, ...(offer ? [offer.spoken] : [])];
  memory.slot = { ...NO_SLOT, date: offer?.date };
  if (offer?.date !== undefined) return [...words, ask(situation, 'slot', 'Which of these suits you?')];
  memory.isBooking = false;
  if (!has('schedule_callback')) return [...words, goOnAsking(situation)];
  await useTool('schedule_callback', { when: slot, topic: topicOf(situation) });
  return [...words, line('slotNoted', { slot }), goOnAsking(situation)];
}

const CALENDAR_FAILED = "I'm sorry, I can't reach the calendar just now.";

/** "At seven" is in the evening for a restaurant that opens at five. */
function inOpenHalf(hours: OpeningHours | null, heard: string, slot: SpokenMoment): SpokenMoment {
  const { date, time } = slot;
  if (!hours || !date || !time || isOpenAt(hours, date, time) || HALF_SAID.test(heard)) return slot;
  const hour = Number(time.slice(0, 2));
  const other = `${String((hour + 12) % 24).padStart(2, '0')}${time.slice(2)}`;
  return isOpenAt(hours, date, other) ? { date, time: other } : slot;
}

const HALF_SAID = /\d ?[ap]\.?m\b|\b[ap]\.?m\b|\b(?:morning|noon|afternoon|evening|night|midnight)\b/i;

function isComplete({ date, time }: SpokenMoment): boolean {
  return date !== undefined && time !== undefined;
}

function spokenSlot({ memory: { slot }, plan }: Situation): string {
  const startsAt = toInstant(`${slot.date}T${slot.time}`, plan.timeZone);
  return startsAt ? speakMoment(startsAt, plan.timeZone) : '';
}

function speakDay(date: string): string {
  return dateFormat({
    timeZone: 'UTC',
    weekday: 'long',
    month: 'long',
    day: 'numeric',
  }).format(new Date(`${date}T00:00:00Z`));
}
