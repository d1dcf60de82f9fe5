import { findEmergency } from '#lib/text/emergencies.ts';
import { readEnglish } from '#lib/text/english.ts';
import {
  agentActs,
  agreesTo,
  type AgentAct,
  humanActs,
  type HumanAct,
  isOnlyGreeting,
  saysNo,
  saysYes,
} from './acts.ts';
import { agreedInWords } from './appointment.ts';
import type { AnalyzedCall, Findings } from './facts.ts';
import { isOrder } from './orders.ts';

type Sentence = { text: string; human: ReadonlySet<HumanAct>; agent: ReadonlySet<AgentAct> };
type Line = { speaker: 'agent' | 'human'; text: string; sentences: Sentence[] };

const NO_ACTS: ReadonlySet<never> = new Set();
const HELPED = /\b(?:thanks|thank you|great|perfect|that helps|wonderful|all i wanted)\b/i;
const SEEKS =
  /\b(?:know|tell me|wonder|wondering|question|ask|asking|need|want|would like|'d like|looking for|about)\b/i;
/** "I don't have any free times" is an answer, not a lack of one. */
const ABOUT_SLOTS = /\b(?:slots?|times?|openings?|availabl\w+|appointments?|tables?)\b/i;

/** Reads what both sides said. Pure, and the same for the rules and for checking what a model claims. */
export function findingsOf(call: AnalyzedCall): Findings {
  const { lines, hasOrders } = linesOf(call);
  const turns = lines.map(({ speaker, text }) => ({ speaker, text }));
  const human = lines.filter(({ speaker }) => speaker === 'human');
  const said = (act: HumanAct) =>
    human.some(({ sentences }) => sentences.some((each) => each.human.has(act)));
  const machine = machineIn(lines, call);
  const talked = lines.some(
    (line, index) =>
      line.speaker === 'human' && (!isOnlyGreeting(line.text) || agreesTo(lines[index - 1], line.text)),
  );
  const inWords = machine === null ? agreedInWords(turns) : undefined;
  const agreed = bookedByOwnTool(call) ? inWords : undefined;
  const isSettled =
    call.outcome.appointment !== null || agreed !== undefined || call.outcome.transferredTo !== null;
  const declined = !isSettled && (hasDeclined(human) || refusedOffer(call, lines));
  const callback = call.outcome.callback !== null || (!isSettled && !declined && hasAgreedToCallback(lines));
  const isCancelled = says(lines, 'cancelled');
  const found = {
    turns,
    hasOrders,
    abandoned:
      call.outcome.voicemail === null && machine === null && call.outcome.transferredTo === null && !talked,
    machine,
    agreed,
    unbooked: isSettled ? undefined : inWords,
    declined,
    askedForHuman: human.some((line) => asksForHuman(line)),
    callback,
    wrongNumber: said('wrongNumber'),
    deceased: said('deceased'),
    emergency: machine === null ? emergencyIn(human) : undefined,
    cancellation: isSettled ? undefined : sentenceWith(human, 'cancels'),
    isCancelled,
    isConfirmed: !isSettled && confirmsExisting(lines),
    unanswered: unansweredIn(lines),
    promises: promisesIn(lines, { declined, callback }),
    claimedBooking: !isSettled && claimsBooking(lines),
  };
  return { ...found, actionNeeded: isActionNeeded(call, found) };
}

const BOOKS = /book|reserv|schedul|appoint|visit|event|create|add|insert|order/i;
const READS = /find|list|check|search|look|read|fetch|query|get|show|cancel|delete|remove|callback/i;

/** The built-in tool and a calendar are in the outcome; a workspace's own tool is known by its name alone. */
function bookedByOwnTool({ toolUses = [] }: AnalyzedCall): boolean {
  return toolUses.some(
    ({ name, result }) =>
      name !== 'book_appointment' && BOOKS.test(name) && !READS.test(name) && result['ok'] === true,
  );
}

function isActionNeeded(call: AnalyzedCall, found: Omit<Findings, 'actionNeeded'>): boolean {
  // Whoever took the call over takes care of the rest.
  if (call.outcome.transferredTo !== null || call.outcome.voicemail !== null || found.machine !== null)
    return false;
  return (
    found.emergency !== undefined ||
    found.askedForHuman ||
    found.unanswered.length > 0 ||
    found.promises.length > 0 ||
    found.claimedBooking ||
    found.unbooked !== undefined ||
    (found.cancellation !== undefined && !found.isCancelled && call.direction === 'INBOUND')
  );
}

function linesOf(call: AnalyzedCall): { lines: Line[]; hasOrders: boolean } {
  let hasOrders = false;
  const lines = call.turns.flatMap(({ speaker, text }): Line[] => {
    const all = readEnglish(text.trim()).map((sentence) => sentence.text);
    const kept = speaker === 'human' ? all.filter((sentence) => !isOrder(sentence)) : all;
    hasOrders ||= kept.length < all.length;
    if (kept.join('').trim() === '') return [];
    const sentences = kept.map((sentence) => ({
      text: sentence,
      human: speaker === 'human' ? humanActs(sentence) : NO_ACTS,
      agent: speaker === 'agent' ? agentActs(sentence) : NO_ACTS,
    }));
    return [{ speaker, text: kept.join(' '), sentences }];
  });
  return { lines, hasOrders };
}

/** A machine talks first, says what machines say and answers nothing. */
function machineIn(lines: readonly Line[], call: AnalyzedCall): Findings['machine'] {
  const human = lines.filter(({ speaker }) => speaker === 'human');
  const isMachine =
    call.direction === 'OUTBOUND' &&
    call.outcome.voicemail === null &&
    human.length > 0 &&
    human.length <= 2 &&
    human.every(({ sentences }) => sentences.some((each) => each.human.has('recordedGreeting')));
  if (!isMachine) return null;
  const greeting = lines.findLastIndex(({ speaker }) => speaker === 'human');
  return lines.slice(greeting + 1).some(({ speaker }) => speaker === 'agent') ? 'message_left' : 'no_message';
}

function hasDeclined(human: readonly Line[]): boolean {
  return human.some(({ text, sentences }) =>
    sentences.some(
      (each) =>
        (each.human.has('declines') || each.human.has('optsOut')) &&
        // "I'm usually not interested, but we do need one."
        !/\bbut\b.*\b(?:i|we)(?:'d| do| would| could| might|'m interested| am interested| need a)\b/i.test(
          text,
        ),
    ),
  );
}

/** "Shall I tell you more?" "No. Goodbye." on a call that the person did not ask for and wanted nothing of. */
function refusedOffer(call: AnalyzedCall, lines: readonly Line[]): boolean {
  const last = lines.findLastIndex(({ speaker }) => speaker === 'human');
  const [offer, answer] = [lines[last - 1], lines[last]];
  if (call.direction !== 'OUTBOUND' || !offer || !answer || offer.speaker !== 'agent' || !saysNo(answer.text))
    return false;
  const asked = lines.some(({ speaker, text }) => speaker === 'human' && text.includes('?'));
  const offers = offer.sentences.some(
    ({ text, agent }) =>
      /\b(?:shall|would you like|do you want|are you interested|may i|can i)\b.*\b(?:call|tell|explain|hear|interested|show|more about|details|offer)\b.*\?/i.test(
        text,
      ) &&
      !agent.has('offersMore') &&
      !agent.has('offersCallback'),
  );
  const explains = answer.sentences.length > 1 && !/\b(?:bye|thanks|thank you)\b/i.test(answer.text);
  return offers && !asked && !explains;
}

function hasAgreedToCallback(lines: readonly Line[]): boolean {
  return lines.some((line, index) => {
    const next = lines[index + 1];
    if (line.speaker === 'human')
      return line.sentences.some(({ text, human }) => human.has('asksForCallback') && !saysDont(text));
    const offered = line.sentences.some(
      ({ agent }) => agent.has('offersCallback') || agent.has('promisesCall'),
    );
    if (!offered || next?.speaker !== 'human') return false;
    const isPromise = line.sentences.some(({ agent }) => agent.has('promisesCall'));
    return (
      saysYes(next.text) || (isPromise && !saysNo(next.text) && /\b(?:thanks|thank you)\b/i.test(next.text))
    );
  });
}

function asksForHuman({ sentences }: Line): boolean {
  return sentences.some(
    ({ text, human }) => human.has('asksForHuman') && !saysDont(text) && !isAboutOthers(text),
  );
}

/** "No need to talk to anybody", "don't call me back". */
function saysDont(text: string): boolean {
  return /\b(?:no need|don't need|do not need|don't want|do not want|not necessary|don't have to|not to|never|don't (?:call|ring|phone|put|connect|transfer)|(?:am i|are you|i'm|is this) .*(?:speaking|talking|real|human))\b/i.test(
    text.replaceAll('’', "'"),
  );
}

function isAboutOthers(text: string): boolean {
  return /\b(?:have to|need to|must|should|let me|i'll|i will|i want to|i'd like to) (?:first )?(?:speak|talk) (?:to|with) (?:my|our) (?:husband|wife|partner|boss|family|mother|father|parents|son|daughter)\b/i.test(
    text,
  );
}

function emergencyIn(human: readonly Line[]): string | undefined {
  return human.map(({ text }) => findEmergency(text)?.said).find((told) => told !== undefined);
}

function says(lines: readonly Line[], act: AgentAct): boolean {
  return lines.some(({ sentences }) => sentences.some(({ agent }) => agent.has(act)));
}

function sentenceWith(human: readonly Line[], act: HumanAct): string | undefined {
  return human.flatMap(({ sentences }) => sentences).find((each) => each.human.has(act))?.text;
}

/** The questions after which the agent said that it does not know, and those the person said were not answered. */
function unansweredIn(lines: readonly Line[]): string[] {
  return lines.flatMap((line, index) => {
    const question = questionBefore(lines, index);
    if (line.speaker === 'agent') {
      const lacks = line.sentences.some(
        ({ text, agent }) => agent.has('cannotAnswer') && !ABOUT_SLOTS.test(text),
      );
      return (lacks || isLost(lines, index)) && question !== undefined ? [question] : [];
    }
    const isOpen = line.sentences.some(({ human }) => human.has('saysNotAnswered'));
    const helpedLater = lines
      .slice(index + 1)
      .some(({ speaker, text }) => speaker === 'human' && HELPED.test(text));
    return isOpen && !helpedLater && question !== undefined ? [question] : [];
  });
}

/** The agent did not understand, and never came to an answer afterwards. */
function isLost(lines: readonly Line[], index: number): boolean {
  const later = lines.slice(index).filter(({ speaker }) => speaker === 'agent');
  return (
    later.every(
      ({ text, sentences }) =>
        sentences.some(({ agent }) => agent.has('notUnderstood')) || /\bgoodbye\b/i.test(text),
    ) &&
    later[0] === lines[index] &&
    lines[index]?.sentences.some(({ agent }) => agent.has('notUnderstood')) === true
  );
}

/** What the person last asked before a line, as a question or as something they want to know. */
function questionBefore(lines: readonly Line[], index: number): string | undefined {
  const before = lines
    .slice(0, index)
    .findLast(({ speaker, text }) => speaker === 'human' && !isOnlyGreeting(text));
  return (
    before?.sentences.find(({ text }) => text.endsWith('?'))?.text ??
    before?.sentences.find(({ text }) => SEEKS.test(text))?.text
  );
}

function promisesIn(lines: readonly Line[], covered: { declined: boolean; callback: boolean }): string[] {
  return lines.flatMap((line, index) => {
    if (line.speaker !== 'agent' || !lines.slice(0, index).some(({ speaker }) => speaker === 'human'))
      return [];
    return line.sentences
      .filter(
        ({ text, agent }) =>
          (agent.has('promises') || agent.has('promisesCall')) &&
          !text.endsWith('?') &&
          // The tags not_interested and callback_scheduled say these already.
          !(covered.declined && agent.has('aboutNotCalling')) &&
          !(agent.has('promisesCall') && (covered.callback || agent.has('books'))) &&
          !agent.has('handsOver'),
      )
      .map(({ text }) => text);
  });
}

/** "Does Thursday still work for you?" "Yes, I'll be there." */
function confirmsExisting(lines: readonly Line[]): boolean {
  return lines.some((line, index) => {
    const next = lines[index + 1];
    const asked = line.speaker === 'agent' && line.sentences.some(({ agent }) => agent.has('asksToKeep'));
    return asked && next?.speaker === 'human' && saysYes(next.text);
  });
}

function claimsBooking(lines: readonly Line[]): boolean {
  return lines.some(({ sentences }) =>
    sentences.some(
      ({ text, agent }) =>
        /\b(?:you are|you're|i have|i've|we have|is|has been) (?:\w+ )?(?:booked|scheduled|reserved|put you)\b/i.test(
          text,
        ) &&
        agent.has('books') &&
        !text.endsWith('?'),
    ),
  );
}
