import type { CallPlan, KnowledgeHit } from '#lib/engine/plan.ts';
import { planForTest, silentLog, noWorkspaceTool } from '#lib/engine/testing.ts';
import { createToolExecutor } from '#lib/engine/tools/tool-executor.ts';
import type { Finish, Outcome } from '#lib/engine/tools/tool.ts';
import { createLocalBrain } from './local-brain.ts';

/** Talks to the local brain; each line is one turn of the person, each answer the agent's whole reply. */
export async function talk(
  lines: string[],
  options: { plan?: Parameters<typeof planForTest>[0]; knowledge?: string[] } = {},
) {
  const plan: CallPlan = planForTest({ hasKnowledge: options.knowledge !== undefined, ...options.plan });
  const outcome: Outcome = { appointment: null, callback: null };
  const uses: string[] = [];
  const topics: unknown[] = [];
  const finishes: Finish[] = [];
  const hits: KnowledgeHit[] = (options.knowledge ?? []).map((text) => ({
    text,
    score: 0.5,
    documentName: 'doc',
    location: '1',
  }));
  const tools = createToolExecutor({
    plan,
    now: () => plan.startedAt,
    searchKnowledge: async () => hits,
    useWorkspaceTool: noWorkspaceTool,
    outcome,
    elapsedMs: () => 0,
    store: ({ name, arguments: { topic } }) => {
      uses.push(name);
      topics.push(topic);
    },
    log: silentLog,
  });
  const brain = createLocalBrain({ plan, tools });
  const answers: string[] = [];
  for (const heard of lines) {
    const said: string[] = [];
    const useTool = (name: string, args: unknown) => tools.use(name, args, (finish) => finishes.push(finish));
    for await (const piece of brain.respond({ heard, signal: new AbortController().signal, useTool }))
      said.push(piece);
    brain.noteAgentSaid(said.join(' '));
    answers.push(said.join(' '));
  }
  return { answers, uses, topics, finishes, outcome, last: answers.at(-1) ?? '' };
}
