'use client';

import { useAgent } from '#components/agents/use-agent.ts';
import { Field } from '#components/ui/field.tsx';
import { Select } from '#components/ui/select.tsx';
import type { AgentDetail } from '#lib/features/agents/dashboard/contract.ts';
import { versionName } from './wording.ts';

/** What of an agent is tried: its draft, what is published, or the second version that has a share of the conversations. */
export type Tried = 'draft' | 'published' | 'shared';
type Kept = Pick<AgentDetail, 'draft' | 'split'>;

/** What is tried: as it was chosen, as long as the agent has it. */
export function triedOf({ draft, split }: Kept, chosen: Tried | undefined): Tried {
  if (chosen === 'published' || (chosen === 'shared' && split !== null)) return chosen;
  return draft === null ? 'published' : 'draft';
}

/** The version that a test names; undefined for what is published. */
export function triedVersionId(kept: Kept, chosen: Tried | undefined): string | undefined {
  const tried = triedOf(kept, chosen);
  if (tried === 'published') return undefined;
  return tried === 'draft' ? kept.draft?.versionId : kept.split?.version.id;
}

type DraftChoiceProps = {
  agentId: string;
  chosen: Tried | undefined;
  onChoose: (tried: Tried) => void;
};

/** With which of them one talks or chats; nothing where the agent has only what is published. */
export function DraftChoice({ agentId, chosen, onChoose }: DraftChoiceProps) {
  const kept = useAgent(agentId);
  const { draft, split } = kept;
  if (draft === null && split === null) return null;
  const options: { value: Tried; label: string }[] = [
    ...(draft ? [{ value: 'draft' as const, label: 'The draft' }] : []),
    { value: 'published', label: 'What is published' },
    ...(split
      ? [
          {
            value: 'shared' as const,
            label: `${versionName(split.version)}, which gets ${split.percent}% of conversations`,
          },
        ]
      : []),
  ];
  return (
    <Field label="Agent" description="The conversation keeps which one it was held with.">
      <Select
        options={options}
        value={triedOf(kept, chosen)}
        onValueChange={(value) =>
          onChoose(options.find((each) => each.value === value)?.value ?? 'published')
        }
      />
    </Field>
  );
}
