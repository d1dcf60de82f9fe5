import { readEnglish } from '#lib/text/english.ts';
import { humanActs } from './acts.ts';
import type { AnalyzedCall, Findings } from './facts.ts';
import { isSame, namesIn, quote, topicOfOutbound, wishIn } from './retell.ts';
import { moodOf } from './sentiment.ts';

const MAX_SENTENCES = 4;

/** A few sentences that name who wanted what and what was agreed, made of the facts and of what was said. */
export function summarize(call: AnalyzedCall, found: Findings): string {
  if (call.outcome.voicemail !== null || found.machine !== null)
    return voicemailSummary(call, call.outcome.voicemail ?? found.machine);
  if (found.abandoned) return abandonedSummary(call);
  const names = namesIn(found.turns);
  const person =
    names.person ??
    (call.channel === 'chat' ? 'A visitor' : call.direction === 'OUTBOUND' ? 'the person' : 'A caller');
  const opening =
    call.direction === 'OUTBOUND'
      ? `${names.agent ?? 'The agent'} called ${person}${withSpace(topicOfOutbound(found.turns, names.person))}.`
      : undefined;
  const told = toldSentences(call, found, opening === undefined ? capitalize(person) : 'They');
  const agreed = agreedSentences(call, found);
  const ending = agreed.length > 0 ? agreed : [closingSentence(call, found)];
  const rest = [opening, ...told, ...ending].filter((sentence) => sentence !== undefined);
  return [emergencySentence(found) ?? [], ...rest.slice(0, MAX_SENTENCES)].flat().join(' ');
}

/** What somebody has to read first; undefined where nothing was said of pain or danger. */
export function emergencySentence({ emergency }: Pick<Findings, 'emergency'>): string | undefined {
  return emergency === undefined ? undefined : `Urgent: they said ${quote(emergency)}.`;
}

function voicemailSummary(call: AnalyzedCall, voicemail: 'message_left' | 'no_message' | null): string {
  if (voicemail === 'no_message') return 'The call reached a voicemail, and no message was left.';
  const message = call.turns.filter((turn) => turn.speaker === 'agent').at(-1)?.text;
  return `The call reached a voicemail, and a message was left${message ? `: ${quote(message)}` : ''}.`;
}

function abandonedSummary(call: AnalyzedCall): string {
  if (call.channel === 'chat') return 'A visitor opened a chat, and no conversation came about.';
  const person = call.direction === 'OUTBOUND' ? 'The person' : 'The caller';
  if (call.outcome.endedBy === 'staff') return `No conversation came about. ${call.outcome.endReason}`;
  if (call.outcome.endedBy === 'human') return `${person} hung up before a conversation began.`;
  const said = call.turns.some(({ speaker }) => speaker === 'human')
    ? 'said only a greeting'
    : 'said nothing';
  return `${person} ${said}, so no conversation came about.`;
}

/** What the person told, wanted and asked: a question that stayed open is always named. */
function toldSentences(call: AnalyzedCall, found: Findings, who: string): string[] {
  const news = newsIn(found);
  const wish = wishIn(found.turns);
  const open = found.unanswered.at(-1);
  const isBooked = call.outcome.appointment !== null || (found.agreed ?? found.unbooked) !== undefined;
  const asked = questionsIn(found).find(
    ({ question }) =>
      (open === undefined || !isSame(question, open)) && !(isBooked && PROPOSES.test(question)),
  );
  const told: string[] = [];
  if (news !== undefined && news !== found.emergency && open === undefined) told.push(`said ${quote(news)}`);
  else if (wish !== undefined) told.push(`wanted to ${wish}`);
  else if (asked !== undefined) told.push(`asked ${quote(asked.question)}${answerTo(found, asked)}`);
  if (open !== undefined)
    told.push(`${open.endsWith('?') ? 'asked' : 'said'} ${quote(open)}, which the agent could not answer`);
  const said = told.length === 0 && found.emergency === undefined ? longestSaid(found) : undefined;
  if (said !== undefined) told.push(`said ${quote(said)}`);
  if (told.length === 0 && call.direction === 'INBOUND')
    told.push(call.channel === 'chat' ? 'chatted' : 'called');
  return told.map((sentence, index) => `${index === 0 ? who : 'They'} ${sentence}.`);
}

/** The day that was agreed on is told by itself. */
const PROPOSES =
  /\b(?:how about|what about|could we|can we|book me|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow)\b/i;

/** Bad news, a mistaken number, a cancellation or a complaint: what support has to read word for word. */
function newsIn(found: Findings): string | undefined {
  const sentences = humanSentences(found);
  const told = sentences.find((sentence) => {
    const acts = humanActs(sentence);
    return acts.has('deceased') || acts.has('wrongNumber') || (acts.has('cancels') && !wishIn(found.turns));
  });
  return (
    told ??
    (found.declined
      ? undefined
      : sentences.find((sentence) => moodOf(sentence) <= -0.9 && !sentence.endsWith('?')))
  );
}

function answerTo(found: Findings, asked: { index: number }): string {
  const answer = found.turns.slice(asked.index + 1).find(({ speaker }) => speaker === 'agent')?.text;
  return answer && !found.promises.some((promise) => answer.includes(promise))
    ? `; the agent answered ${quote(answer)}`
    : '';
}

const SMALL_TALK =
  /\b(?:still there|who (?:is|are) (?:this|you|it|that|calling)|can you hear|how are you|how can i help|what(?:'s| is) (?:this|it) about|say that again|are you (?:an? )?(?:ai|robot|real|human|bot))\b/i;

/** What the person asked; small talk, asking for a human and asking to be called say themselves elsewhere. */
function questionsIn(found: Findings): { question: string; index: number }[] {
  return found.turns.flatMap(({ speaker, text }, index) =>
    speaker === 'human'
      ? sentencesOf(text)
          .filter((sentence) => sentence.endsWith('?'))
          .filter((question) => {
            const acts = humanActs(question);
            return (
              question.split(/\s+/).length > 3 &&
              !SMALL_TALK.test(question) &&
              !acts.has('asksForHuman') &&
              !acts.has('asksForCallback')
            );
          })
          .map((question) => ({ question, index }))
      : [],
  );
}

function humanSentences(found: Findings): string[] {
  return found.turns.filter(({ speaker }) => speaker === 'human').flatMap(({ text }) => sentencesOf(text));
}

function sentencesOf(text: string): string[] {
  return readEnglish(text).map((sentence) => sentence.text);
}

/** What says most, where nothing was wanted or asked; manners say nothing. */
function longestSaid(found: Findings): string | undefined {
  return humanSentences(found)
    .filter(
      (sentence) =>
        sentence.split(/\s+/).length >= 4 &&
        !sentence.endsWith('?') &&
        !/\b(?:bye|goodbye|thank you|thanks)\b/i.test(sentence),
    )
    .filter(
      (sentence) =>
        ![...humanActs(sentence)].some(
          (act) =>
            act === 'declines' || act === 'optsOut' || act === 'asksForHuman' || act === 'asksForCallback',
        ),
    )
    .toSorted((one, other) => other.length - one.length)[0];
}

function agreedSentences(call: AnalyzedCall, found: Findings): string[] {
  const { outcome } = call;
  const sentences: string[] = [];
  if (outcome.appointment) sentences.push(`An appointment was agreed for ${outcome.appointment.spoken}.`);
  else if (found.agreed !== undefined)
    sentences.push(`They agreed on a day and time: ${quote(found.agreed)}.`);
  if (found.unbooked !== undefined)
    sentences.push(`They spoke of a day and time, but nothing was booked: ${quote(found.unbooked)}.`);
  else if (found.claimedBooking) sentences.push('The agent spoke of a booking, but none was made.');
  if (outcome.transferredTo !== null) sentences.push('The call was handed over to a human.');
  else if (found.askedForHuman)
    sentences.push(
      `They asked for a human, which was not possible ${call.channel === 'chat' ? 'in the chat' : 'on the call'}, so somebody should follow up.`,
    );
  if (found.callback) {
    const { spoken, contact } = outcome.callback ?? {};
    const details = [spoken, contact].filter((detail) => detail).join(', ');
    sentences.push(`They asked to be called back${details ? ` (${details})` : ''}.`);
  }
  if (found.isConfirmed) sentences.push('They confirmed that it still works.');
  if (found.isCancelled) sentences.push('The agent cancelled it.');
  if (found.declined) sentences.push('They declined and were not interested.');
  const promise = found.promises.at(-1);
  if (promise !== undefined) sentences.push(`The agent promised: ${quote(promise)}.`);
  else if (found.unanswered.length > 0 && sentences.length === 0)
    sentences.push('Somebody should follow up on it.');
  return sentences;
}

function closingSentence(call: AnalyzedCall, found: Findings): string | undefined {
  const { endedBy, endReason } = call.outcome;
  if (endedBy === 'shutdown' || endedBy === 'limit' || endedBy === 'staff') return endReason;
  if (found.wrongNumber || found.deceased) return 'The conversation ended there.';
  return found.actionNeeded ? 'Somebody should follow up.' : 'Nothing else was agreed.';
}

function withSpace(text: string | undefined): string {
  return text === undefined ? '' : ` ${text}`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
