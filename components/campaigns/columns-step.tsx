'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { OpeningGaps, OpeningLine } from '#components/prompts/opening-line.tsx';
import { usePreview } from '#components/prompts/use-preview.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { Select } from '#components/ui/select.tsx';
import type { InspectedFile } from '#lib/features/campaigns/dashboard/contract.ts';
import { campaignQueries } from '#lib/features/campaigns/queries.ts';
import {
  type Chosen,
  type ColumnUse,
  mappingOf,
  sampleVariables,
  suggestedUses,
  usesFault,
} from './columns.ts';
import { makeCampaign } from './send-list.ts';
import { people } from './wording.ts';

type ColumnsStepProps = {
  file: File;
  inspected: InspectedFile;
  chosen: Chosen;
  onHeader: (hasHeader: boolean) => void;
};

/** Which column is the number, and which ones the agent knows by which name. */
export function ColumnsStep({ file, inspected, chosen, onHeader }: ColumnsStepProps) {
  const empty = usePreview(chosen.agentId, previewOf(chosen.outboundPromptId, {}));
  if (empty.error) return <Notice tone="danger">{describeFailure(empty.error)}</Notice>;
  if (!empty.preview) return null;
  const wanted = empty.preview.variables.map((variable) => variable.name);
  return <Columns file={file} inspected={inspected} chosen={chosen} wanted={wanted} onHeader={onHeader} />;
}

const previewOf = (promptId: string, variables: Record<string, string>) => ({
  direction: 'OUTBOUND' as const,
  promptId,
  draft: {},
  variables,
});

function useCheckList({ file, inspected, chosen }: Omit<ColumnsStepProps, 'onHeader'>) {
  const { id: workspaceId } = useWorkspace();
  const router = useRouter();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (uses: readonly ColumnUse[]) => {
      const { name, from, outboundPromptId } = chosen;
      const columns = mappingOf(inspected.hasHeader, uses);
      return makeCampaign(workspaceId, { name: name.trim(), from, outboundPromptId, columns }, file);
    },
    onSuccess: (campaign) => {
      queryClient.setQueryData(campaignQueries.detail(workspaceId, campaign.id).queryKey, campaign);
      void queryClient.invalidateQueries({ queryKey: [...campaignQueries.root(workspaceId), 'list'] });
      router.push(workspacePath(workspaceId, `campaigns/${encodeURIComponent(campaign.id)}`));
    },
  });
}

function Columns(props: ColumnsStepProps & { wanted: readonly string[] }) {
  const { inspected, chosen, wanted, onHeader } = props;
  const [uses, setUses] = useState(() => suggestedUses(inspected, wanted));
  const check = useCheckList(props);
  const fault = usesFault(uses) ?? (chosen.name.trim() === '' ? 'Give the campaign a name.' : null);
  const named = new Set(uses.flatMap((use) => (use.kind === 'variable' ? [use.name] : [])));
  const missing = wanted.filter((name) => !named.has(name));
  const change = (column: number, use: ColumnUse) =>
    setUses((before) =>
      before.map((each, index) => {
        if (index === column) return use;
        // There is one number.
        return use.kind === 'number' && each.kind === 'number' ? { kind: 'variable', name: '' } : each;
      }),
    );
  return (
    <>
      <ColumnsCard inspected={inspected} uses={uses} wanted={wanted} onChange={change} onHeader={onHeader} />
      {missing.length > 0 ? (
        <Notice
          tone="warning"
          title={
            missing.length === 1
              ? 'One variable of the prompt has no column'
              : 'Some variables of the prompt have no column'
          }
        >
          {`${new Intl.ListFormat('en').format(missing)}: a sentence that needs one is not said.`}
        </Notice>
      ) : null}
      <FirstOpening chosen={chosen} variables={sampleVariables(inspected, uses, 0)} />
      {check.error ? (
        <Notice tone="danger" title="The list could not be checked">
          {describeFailure(check.error)}
        </Notice>
      ) : null}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="primary"
          size="lg"
          isBusy={check.isPending}
          disabled={fault !== null}
          onClick={() => check.mutate(uses)}
        >
          Check the list
        </Button>
        <p className="text-sm text-ink-muted">
          {fault ?? 'Every row is checked. Nobody is called before you start the campaign.'}
        </p>
      </div>
    </>
  );
}

type ColumnsCardProps = Pick<ColumnsStepProps, 'inspected' | 'onHeader'> & {
  uses: readonly ColumnUse[];
  wanted: readonly string[];
  onChange: (column: number, use: ColumnUse) => void;
};

function ColumnsCard({ inspected, uses, wanted, onChange, onHeader }: ColumnsCardProps) {
  return (
    <Card
      title="Columns"
      description={`${people(inspected.rowCount)} in the file. A column without a name of a variable is not used.`}
      isFlush
    >
      <ul className="divide-y divide-line">
        {inspected.columns.map((column, index) => (
          <ColumnRow
            // oxlint-disable-next-line react/no-array-index-key -- columns are their places
            key={index}
            column={column}
            use={uses[index] ?? { kind: 'variable', name: '' }}
            wanted={wanted}
            onChange={(use) => onChange(index, use)}
          />
        ))}
      </ul>
      <div className="border-t border-line px-4 py-3.5 sm:px-5">
        <Field layout="check" label="The first row has the names of the columns">
          <Checkbox checked={inspected.hasHeader} onCheckedChange={(isOn) => onHeader(isOn === true)} />
        </Field>
      </div>
    </Card>
  );
}

type ColumnRowProps = {
  column: InspectedFile['columns'][number];
  use: ColumnUse;
  wanted: readonly string[];
  onChange: (use: ColumnUse) => void;
};

const KINDS = [
  { value: 'number', label: 'Number' },
  { value: 'variable', label: 'Variable' },
];

function ColumnRow({ column, use, wanted, onChange }: ColumnRowProps) {
  const samples = column.samples.filter((sample) => sample !== '');
  const listId = `variables-of-${column.name.replace(/\W+/g, '-')}`;
  return (
    <li className="grid items-center gap-x-5 gap-y-2 px-4 py-3 sm:grid-cols-[1fr_9rem_14rem] sm:px-5">
      <div className="min-w-0">
        <p className="truncate text-sm font-medium text-ink">{column.name}</p>
        <p className="truncate text-sm text-ink-subtle">
          {samples.length > 0 ? samples.join(' · ') : 'Empty'}
        </p>
      </div>
      <Select
        aria-label={`What ${column.name} is`}
        options={KINDS}
        value={use.kind}
        onValueChange={(kind) => onChange(kind === 'number' ? { kind } : { kind: 'variable', name: '' })}
      />
      {use.kind === 'number' ? (
        <p className="text-sm text-ink-muted">Who is called</p>
      ) : (
        <>
          <Input
            aria-label={`Variable for ${column.name}`}
            placeholder="Not used"
            className="font-mono"
            value={use.name}
            maxLength={60}
            autoComplete="off"
            list={listId}
            onChange={(event) => onChange({ kind: 'variable', name: event.target.value.trim() })}
          />
          <datalist id={listId}>
            {wanted.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </datalist>
        </>
      )}
    </li>
  );
}

function FirstOpening({ chosen, variables }: { chosen: Chosen; variables: Record<string, string> }) {
  const { preview, error } = usePreview(chosen.agentId, previewOf(chosen.outboundPromptId, variables));
  if (error) return <Notice tone="danger">{describeFailure(error)}</Notice>;
  if (!preview) return null;
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm font-medium text-ink">The first person would hear</p>
      {preview.missingForOpening.length > 0 ? null : <OpeningLine text={preview.opening} />}
      <OpeningGaps preview={preview} />
    </div>
  );
}
