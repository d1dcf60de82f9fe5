import { createLocalBrain } from '#lib/engine/brain/local/local-brain.ts';
import type { CallPlan } from '#lib/engine/plan.ts';
import type { ToolExecutor } from '#lib/engine/tools/tool-executor.ts';
import { type ChatPast, type PastTurn, turnsWithTools } from './past.ts';

type UseTool = (name: string, rawArguments: unknown) => Promise<Record<string, unknown>>;

/** A caller's number is known; who writes has to say how they can be reached. */
const ASK_CONTACT = 'Which telephone number or e-mail address can we reach you at?';
const CONTACT = /[^\s@,;<>()]+@[^\s@,;<>()]+\.[a-z]{2,}|\+?\d[\d ()./-]{5,}\d/i;

/**
 * One answer of the keyless brain, sentence by sentence. What it remembers between turns is made anew from what is stored:
 * it hears every earlier message once more, with the results that its tools gave then.
 */
export async function* answerKeyless(options: {
  plan: CallPlan;
  /** The person's last message included. */
  past: ChatPast;
  tools: ToolExecutor;
  useTool: UseTool;
  signal: AbortSignal;
}): AsyncGenerator<string> {
  const { plan, tools, signal } = options;
  const turns = turnsWithTools(options.past);
  const asked = turns.pop();
  if (!asked) return;
  const brain = createLocalBrain({ plan, tools });
  for (const [at, turn] of turns.entries()) {
    if (turn.speaker === 'agent') brain.noteAgentSaid(turn.text);
    else if (contactIn(turn, turns[at - 1]) === undefined) {
      for await (const _ of brain.respond({ heard: turn.text, signal, useTool: recordedResults(turn) }));
    }
  }
  const contact = contactIn(asked, turns.at(-1));
  if (contact !== undefined) {
    const { when, topic } = lastCallback(turns);
    await options.useTool('schedule_callback', { when, contact, ...(topic === undefined ? {} : { topic }) });
    yield `Thank you. Somebody will get back to you at ${contact}. Can I help you with anything else?`;
    return;
  }
  let hasPromised = false;
  const useTool: UseTool = async (name, rawArguments) => {
    const result = await options.useTool(name, rawArguments);
    hasPromised ||= (name === 'schedule_callback' || name === 'book_appointment') && result['ok'] === true;
    return result;
  };
  let isFirst = true;
  for await (const sentence of brain.respond({ heard: asked.text, signal, useTool })) {
    if (sentence === '') continue;
    yield isFirst ? sentence : ` ${sentence}`;
    isFirst = false;
  }
  const isKnown = [...turns, asked].some((turn) => turn.speaker === 'human' && CONTACT.test(turn.text));
  if (hasPromised && !isKnown) yield `${isFirst ? '' : ' '}${ASK_CONTACT}`;
}

/** What the person answered to the question for it; undefined where it was not asked or they say something else. */
function contactIn(turn: PastTurn, before: PastTurn | undefined): string | undefined {
  if (before?.speaker !== 'agent' || !before.text.endsWith(ASK_CONTACT)) return undefined;
  return CONTACT.exec(turn.text)?.[0];
}

function lastCallback(turns: readonly PastTurn[]): { when: string; topic: string | undefined } {
  const uses = turns.flatMap((turn) => turn.toolUses);
  const last = uses.findLast(({ name }) => name === 'schedule_callback')?.arguments ?? {};
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return { when: text(last['when']) ?? 'no preference', topic: text(last['topic']) };
}

function recordedResults(turn: PastTurn): UseTool {
  const left = [...turn.toolUses];
  return async (name) => {
    const at = left.findIndex((use) => use.name === name);
    const [use] = at < 0 ? [] : left.splice(at, 1);
    return use?.result ?? { ok: false, reason: 'the tool failed' };
  };
}
