'use client';

import { useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { isRefused, OpeningGaps, OpeningLine } from '#components/prompts/opening-line.tsx';
import { usePreview } from '#components/prompts/use-preview.ts';
import { Notice } from '#components/ui/empty-state.tsx';
import { Field } from '#components/ui/field.tsx';
import { Select } from '#components/ui/select.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { promptQueries } from '#lib/features/prompts/queries.ts';
import { type PromptVariable, VariablesFields } from './variables-fields.tsx';

type PromptFieldProps = {
  agentId: string;
  wantedId?: string | undefined;
  value: string | undefined;
  error?: string | undefined;
  onChange: (promptId: string) => void;
};

/** Which of the agent's outbound prompts a call is about; the first one until another is chosen. */
export function PromptField({ agentId, wantedId, value, error, onChange }: PromptFieldProps) {
  const workspace = useWorkspace();
  const prompts = useQuery(promptQueries.list(workspace.id, agentId));
  const first = prompts.data?.find((prompt) => prompt.id === wantedId) ?? prompts.data?.[0];
  useEffect(() => {
    if (value === undefined && first) onChange(first.id);
  }, [value, first, onChange]);
  if (prompts.isError) return <Notice tone="danger">{describeFailure(prompts.error)}</Notice>;
  if (prompts.data?.length === 0) {
    return (
      <Notice tone="warning">
        This agent has no outbound prompt yet. Add one under Agents before it can call anybody.
      </Notice>
    );
  }
  return (
    <Field label="Prompt" description="What the call is about." error={error}>
      <Select
        options={(prompts.data ?? []).map((prompt) => ({ value: prompt.id, label: prompt.title }))}
        value={value ?? ''}
        onValueChange={onChange}
        placeholder={prompts.isPending ? 'Loading…' : 'Choose…'}
        disabled={prompts.isPending}
      />
    </Field>
  );
}

type PromptVariablesProps = {
  agentId: string;
  promptId: string;
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
  error?: string | undefined;
  /** Told whether the call would be refused as it stands, or that is not known yet. */
  onRefusal: (isRefused: boolean) => void;
};

/** A field for each variable of a prompt, and what the agent opens the call with. */
export function PromptVariables({
  agentId,
  promptId,
  values,
  onChange,
  error,
  onRefusal,
}: PromptVariablesProps) {
  const { preview, error: failure } = usePreview(agentId, {
    direction: 'OUTBOUND',
    promptId,
    draft: {},
    variables: values,
  });
  const isUnknown = preview === undefined && !failure;
  const wouldBeRefused = preview !== undefined && isRefused(preview);
  useEffect(() => {
    onRefusal(isUnknown || wouldBeRefused);
    return () => onRefusal(false);
  }, [isUnknown, wouldBeRefused, onRefusal]);
  if (failure) return <Notice tone="danger">{describeFailure(failure)}</Notice>;
  if (!preview) return <LoadingVariables />;
  const wanted: PromptVariable[] = preview.variables.map((variable) => ({
    name: variable.name,
    isNumber: variable.isNumber,
    isWrong: variable.state === 'not a number',
  }));
  return (
    <>
      <VariablesFields wanted={wanted} values={values} onChange={onChange} error={error} />
      <div className="flex flex-col gap-2">
        {wouldBeRefused ? null : (
          <>
            <p className="text-sm font-medium text-ink">The agent opens with</p>
            <OpeningLine text={preview.opening} />
          </>
        )}
        <OpeningGaps preview={preview} />
      </div>
    </>
  );
}

function LoadingVariables() {
  return (
    <div aria-busy="true" className="flex flex-col gap-2">
      <p className="text-sm font-medium text-ink">Variables</p>
      <Skeleton className="h-9" />
      <Skeleton className="h-9" />
      <p className="mt-3 text-sm font-medium text-ink">The agent opens with</p>
      <Skeleton className="h-12" />
    </div>
  );
}
