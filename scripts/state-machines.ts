import { CAMPAIGN_MACHINE } from '#lib/features/campaigns/machine.ts';
import { CALL_ENTRIES, CALL_MACHINE } from '#lib/features/calls/machine.ts';
import { DOCUMENT_MACHINE } from '#lib/features/knowledge/documents/machine.ts';

type Machine = Record<string, Partial<Record<string, string>>>;

/** The persisted state machines as Mermaid diagrams, made from the same tables that the services follow. */
export function drawStateMachines(): string {
  return [
    '# State machines',
    '',
    'Made from the code by `npm run drift -- --write`; do not edit.',
    '',
    '## A call',
    '',
    'In `lib/features/calls/machine.ts`.',
    '',
    draw(CALL_MACHINE, CALL_ENTRIES),
    '',
    '## A campaign',
    '',
    'In `lib/features/campaigns/machine.ts`.',
    '',
    draw(CAMPAIGN_MACHINE, {}),
    '',
    '## A document',
    '',
    'In `lib/features/knowledge/documents/machine.ts`.',
    '',
    draw(DOCUMENT_MACHINE, {}),
    '',
  ].join('\n');
}

/** `entries`: by what a thing begins, where it does not always begin in the first state. */
function draw(machine: Machine, entries: Record<string, string>): string {
  const states = Object.keys(machine);
  const arrows = states.flatMap((from) =>
    Object.entries(machine[from] ?? {}).map(
      ([trigger, to]) => `  ${from} --> ${to}: ${trigger.replaceAll('_', ' ')}`,
    ),
  );
  const begins = Object.entries(entries).map(
    ([trigger, to]) => `  [*] --> ${to}: ${trigger.replaceAll('_', ' ')}`,
  );
  const first = begins.length > 0 ? begins : [`  [*] --> ${states[0]}`];
  const last = states
    .filter((state) => Object.keys(machine[state] ?? {}).length === 0)
    .map((state) => `  ${state} --> [*]`);
  return ['```mermaid', 'stateDiagram-v2', ...first, ...arrows, ...last, '```'].join('\n');
}
