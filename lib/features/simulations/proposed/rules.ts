import type { CallOutcome } from '#db/schema/calls.ts';
import { BUILT_IN_TOOLS } from '#lib/engine/tools/registry.ts';
import type { ToolUseRecord, TurnRecord } from '#lib/engine/plan.ts';
import type { Criterion, ScenarioBody } from '../scenarios/contract.ts';

/** As a scenario may hold. */
const MOST = { lines: 50, lineCharacters: 1_000, amounts: 3, nameCharacters: 60, answerCharacters: 15_000 };
/** An answer that turns out longer is no fault of the agent. */
const SPARE_TURNS = 3;

type Conversation = {
  call: {
    direction: 'INBOUND' | 'OUTBOUND';
    outboundPromptId: string | null;
    variables: Record<string, string>;
    outcome: CallOutcome | null;
  };
  /** In the order in which they began. */
  turns: readonly Pick<TurnRecord, 'speaker' | 'text'>[];
  toolUses: readonly Pick<ToolUseRecord, 'name' | 'result'>[];
};

/**
 * A scenario in which somebody says what the person of this conversation said, and the agent has to do what it did.
 * Undefined where the person said nothing.
 */
export function proposeScenario({ call, turns, toolUses }: Conversation): ScenarioBody | undefined {
  const lines = linesOf(turns);
  const closing = lines.length > 1 && FAREWELL.test(lines.at(-1) ?? '') ? lines.pop() : undefined;
  const [first] = lines;
  if (first === undefined) return undefined;
  return {
    name: first.length > MOST.nameCharacters ? `${first.slice(0, MOST.nameCharacters).trimEnd()}…` : first,
    content: {
      direction: call.direction,
      outboundPromptId: call.outboundPromptId,
      variables: call.variables,
      caller: {
        playedBy: 'script',
        description: 'From a conversation',
        manner: 'patient',
        script: lines.slice(0, MOST.lines).map((say) => ({ say, when: null })),
        facts: [],
        closing: closing ?? "That's all, thank you. Goodbye.",
      },
      tools: answersOf(toolUses),
      criteria: criteriaOf({ call, turns, toolUses }),
    },
  };
}

const FAREWELL =
  /\b(bye|goodbye|thanks|thank you|see you|tschüss|auf wiederh|au revoir|adiós|danke|merci|gracias)\b/i;

/** What the person said, one line for each time that it was their turn. */
function linesOf(turns: Conversation['turns']): string[] {
  const lines: string[] = [];
  for (const [index, { speaker, text }] of turns.entries()) {
    if (speaker !== 'human' || text.trim() === '') continue;
    const goesOn = turns[index - 1]?.speaker === 'human' && lines.length > 0;
    const line = (goesOn ? `${lines.pop()} ${text.trim()}` : text.trim()).slice(0, MOST.lineCharacters);
    lines.push(line);
  }
  return lines;
}

const isBuiltIn = (name: string) => BUILT_IN_TOOLS.some((tool) => tool.name === name);

/** The workspace's tools answer what they answered. */
function answersOf(toolUses: Conversation['toolUses']): ScenarioBody['content']['tools'] {
  const answers = new Map<string, Record<string, unknown>>();
  for (const { name, result } of toolUses)
    if (!isBuiltIn(name) && JSON.stringify(result).length < MOST.answerCharacters / 5)
      answers.set(name, result);
  return [...answers].slice(0, 5).map(([name, answer]) => ({
    name,
    isReal: false,
    // Stored as JSON, and read back.
    answer: answer as ScenarioBody['content']['tools'][number]['answer'],
  }));
}

function criteriaOf({ call, turns, toolUses }: Conversation): Criterion[] {
  const own = turns.filter(({ speaker }) => speaker === 'agent');
  // Hanging up is what ended it; that is a criterion of its own.
  const tools = [...new Set(toolUses.map(({ name }) => name))].filter((name) => name !== 'end_call');
  const amounts = new Set(own.flatMap(({ text }) => text.match(AMOUNT) ?? []));
  const by = enderOf(call.outcome);
  return [
    ...tools.slice(0, 20).map((tool) => ({ type: 'tool_used' as const, tool })),
    ...[...amounts].slice(0, MOST.amounts).map((text) => ({ type: 'said' as const, text })),
    ...(by ? [{ type: 'ended_by' as const, by }] : []),
    { type: 'max_turns', turns: Math.min(200, own.length + SPARE_TURNS) },
  ];
}

/** Prices and shares: what is said of them stays the same, while dates move on. */
const AMOUNT = /[$€£]\s?\d[\d.,]*\d|\d[\d.,]*\s?(?:euros?|dollars?|pounds?|percent|%|€)/gi;

function enderOf(outcome: CallOutcome | null): 'agent' | 'person' | 'transfer' | undefined {
  if (!outcome) return undefined;
  if (outcome.transferredTo !== null) return 'transfer';
  if (outcome.endedBy === 'human') return 'person';
  return outcome.endedBy === 'agent' ? 'agent' : undefined;
}
