import { type Rule, type Situation, topicOf } from './situation.ts';

/** The person says goodbye, or wants nothing more. */
export const sayGoodbye: Rule = async (situation) => {
  const { said, memory } = situation;
  const isDone = said.wantsNoMore && !said.isQuestion;
  const refusesMore = memory.awaiting === 'more' && said.refuses && !said.isQuestion;
  if (!said.isFarewell && !isDone && !refusesMore) return undefined;
  return endWith(situation, situation.line('farewell'), 'the person said goodbye');
};

/** The person does not want this call. */
export const acceptDecline: Rule = async (situation) => {
  if (!situation.said.declines) return undefined;
  return endWith(situation, situation.line('declined'), 'the person is not interested');
};

/** The person asks for a human being. */
export const handOver: Rule = async (situation) => {
  const { said, memory, line, has, useTool, heard } = situation;
  const consents = memory.awaiting === 'human_consent' && said.agrees;
  if ((!said.wantsHuman && !consents) || said.asksWhetherAi) return undefined;
  if (!has('transfer_call')) {
    memory.awaiting = 'message';
    return [line('takeMessage')];
  }
  await useTool('transfer_call', { reason: (consents ? topicOf(situation) : heard).slice(0, 300) });
  return [line('handingOver')];
};

/** The person wants to be called at another time, or agrees to a callback that was offered. */
export const promiseCallback: Rule = async (situation) => {
  const { said, memory, line, has, useTool, heard } = situation;
  const consents = memory.awaiting === 'callback_consent' && said.agrees;
  // "Do you call patients back after surgery?" wants to know something, not to be called.
  const asksFact = said.isQuestion && !/\b(?:me|us)\b/i.test(heard);
  const wantsCallback = said.wantsCallback && !asksFact;
  if (!wantsCallback && memory.awaiting !== 'callback_time' && !consents) return undefined;
  if (!has('schedule_callback'))
    return endWith(situation, line('cannotNoteCallback'), 'the person has no time now');
  const when = findVagueTime(heard);
  memory.awaiting = 'more';
  await useTool('schedule_callback', { when: when ?? 'no particular time', topic: topicOf(situation) });
  return [line('callbackNoted', { when: when ?? 'at another time' }), line('anythingElse')];
};

/** The person leaves the message that was offered to be taken: it is in the transcript, for whoever follows up. */
export const takeMessage: Rule = async ({ said, memory, line, heard }) => {
  if (memory.awaiting !== 'message' || said.asksToRepeat || said.isFarewell || said.wantsHuman)
    return undefined;
  memory.awaiting = 'more';
  const isRefused = said.refuses && heard.split(/\s+/).length <= 4;
  return [isRefused ? line('noProblem') : line('messageTaken'), line('anythingElse')];
};

/** Says the last words; hangs up after them where the agent may. */
export async function endWith(
  { has, useTool, memory }: Situation,
  words: string,
  reason: string,
): Promise<string[]> {
  memory.awaiting = undefined;
  if (has('end_call')) await useTool('end_call', { reason });
  return [words];
}

const VAGUE_TIME =
  /\b(later (?:today|this (?:week|month|morning|afternoon|evening))|(?:some ?time |any ?time )?(?:next (?:week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|this (?:week|afternoon|evening|weekend)|tomorrow(?: (?:morning|afternoon|evening))?|tonight|in (?:a|an|one|two|three|four|five|\d+|a few|a couple of|half an) (?:minutes?|hours?|days?|weeks?|months?)|on (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)(?: (?:morning|afternoon|evening))?|after (?:lunch|work|the weekend|\w+day)|in the (?:morning|afternoon|evening))|another (?:time|day)|later)\b/i;

function findVagueTime(heard: string): string | undefined {
  return heard
    .match(VAGUE_TIME)?.[1]
    ?.toLowerCase()
    .replace(
      /\b(monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b/g,
      (day) => day.charAt(0).toUpperCase() + day.slice(1),
    );
}
