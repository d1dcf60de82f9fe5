import type { Simulation } from './contract.ts';
import type { ScenarioBody, ScenarioContent } from './scenarios/contract.ts';

/** A scenario for tests: somebody calls a dentist and follows a script. */
export function scenarioForTest(
  name: string,
  changes: Partial<Omit<ScenarioContent, 'caller'>> & { caller?: Partial<ScenarioContent['caller']> } = {},
): ScenarioBody {
  const { caller, ...content } = changes;
  return {
    name,
    content: {
      direction: 'INBOUND',
      outboundPromptId: null,
      variables: {},
      tools: [],
      criteria: [{ type: 'max_turns', turns: 20 }],
      ...content,
      caller: {
        playedBy: 'script',
        description: 'A patient',
        manner: 'patient',
        script: [],
        facts: [{ about: 'name', answer: 'My name is Anna Berg.' }],
        closing: "That's all, thank you. Goodbye.",
        ...caller,
      },
    },
  };
}

/** Asks until the simulation is over. */
export async function untilOver(read: () => Promise<Simulation>): Promise<Simulation> {
  for (;;) {
    const simulation = await read();
    if (simulation.status !== 'running') return simulation;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
