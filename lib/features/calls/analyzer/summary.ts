import { type AnalyzedCall, type Findings, humanTurns } from './facts.ts';
import { asksForCallback, asksForHuman } from './phrases.ts';

const MAX_QUOTE_CHARACTERS = 160;

/** One to three sentences about what happened, made of the facts and of what was said. */
export function summarize(call: AnalyzedCall, found: Findings): string {
  if (call.outcome.voicemail) return voicemailSummary(call);
  if (found.abandoned) return abandonedSummary(call);
  const who = call.direction === 'OUTBOUND' ? 'The agent reached the person' : 'A caller reached the agent';
  return [`${who}${topicOf(call)}.`, ...resultSentences(call, found)].slice(0, 3).join(' ');
}

function voicemailSummary(call: AnalyzedCall): string {
  if (call.outcome.voicemail === 'no_message')
    return 'The call reached a voicemail, and no message was left.';
  const message = call.turns.filter((turn) => turn.speaker === 'agent').at(-1)?.text;
  return `The call reached a voicemail, and a message was left${message ? `: ${quote(message)}` : ''}.`;
}

function abandonedSummary(call: AnalyzedCall): string {
  const person = call.direction === 'OUTBOUND' ? 'The person' : 'The caller';
  if (call.outcome.endedBy === 'human') return `${person} hung up before a conversation began.`;
  const said = humanTurns(call).length > 0 ? 'said only a greeting' : 'said nothing';
  return `${person} ${said}, so no conversation came about.`;
}

/** What the person asked says best what a conversation was about; small talk and asking for a human do not. */
function topicOf(call: AnalyzedCall): string {
  const asked = call.turns.findIndex(
    (turn) => turn.speaker === 'human' && questionIn(turn.text) !== undefined,
  );
  const question = questionIn(call.turns[asked]?.text ?? '');
  if (question === undefined) return ' and they talked';
  const answer = call.turns.slice(asked + 1).find((turn) => turn.speaker === 'agent')?.text;
  return `, who asked ${quote(question)}${answer ? `; the agent answered ${quote(answer)}` : ''}`;
}

const SMALL_TALK =
  /\b(still there|who (is|are) (this|you|it|that|calling)|can you hear|how are you|are you (an? )?(ai|robot|real|human|bot))\b/i;

function questionIn(text: string): string | undefined {
  const sentences = text.match(/[^.!?]+\?/g) ?? [];
  return sentences
    .map((sentence) => sentence.trim())
    .find(
      (sentence) =>
        sentence.split(/\s+/).length > 3 &&
        !SMALL_TALK.test(sentence) &&
        !asksForHuman(sentence) &&
        !asksForCallback(sentence),
    );
}

function resultSentences(call: AnalyzedCall, found: Findings): string[] {
  const { outcome } = call;
  const sentences: string[] = [];
  if (outcome.appointment) sentences.push(`An appointment was agreed for ${outcome.appointment.spoken}.`);
  if (outcome.transferredTo !== null) sentences.push('The call was handed over to a human.');
  else if (found.askedForHuman)
    sentences.push(
      'They asked for a human, which was not possible on the call, so somebody should follow up.',
    );
  if (outcome.callback || (found.askedForCallback && !outcome.appointment)) {
    sentences.push(
      `They asked to be called back${outcome.callback?.spoken ? ` (${outcome.callback.spoken})` : ''}.`,
    );
  }
  if (found.declined && !outcome.appointment) sentences.push('They declined and were not interested.');
  if (sentences.length === 0) sentences.push(closingSentence(call));
  return sentences;
}

function closingSentence(call: AnalyzedCall): string {
  if (call.outcome.endedBy === 'shutdown' || call.outcome.endedBy === 'limit') return call.outcome.endReason;
  return 'The conversation ended normally.';
}

function quote(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim().replaceAll('"', "'");
  const cut =
    plain.length > MAX_QUOTE_CHARACTERS ? `${plain.slice(0, MAX_QUOTE_CHARACTERS - 1).trimEnd()}…` : plain;
  return `"${cut.replace(/[.]$/, '')}"`;
}
