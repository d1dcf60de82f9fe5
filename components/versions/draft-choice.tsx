'use client';

import { useAgent } from '#components/agents/use-agent.ts';
import { Field } from '#components/ui/field.tsx';
import { Select } from '#components/ui/select.tsx';

type DraftChoiceProps = {
  agentId: string;
  isPublished: boolean;
  onChoose: (isPublished: boolean) => void;
};

/** With which of both one talks or chats; nothing where the agent has no draft. */
export function DraftChoice({ agentId, isPublished, onChoose }: DraftChoiceProps) {
  const { draft } = useAgent(agentId);
  if (draft === null) return null;
  return (
    <Field label="Agent" description="The conversation keeps which one it was held with.">
      <Select
        options={[
          { value: 'draft', label: 'The draft' },
          { value: 'published', label: 'What is published' },
        ]}
        value={isPublished ? 'published' : 'draft'}
        onValueChange={(value) => onChoose(value === 'published')}
      />
    </Field>
  );
}
