'use client';

import { useState } from 'react';
import { Split as SplitIcon } from 'lucide-react';
import { NumberField } from '#components/forms/form-fields.tsx';
import { OperationDialog } from '#components/forms/operation-dialog.tsx';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { LookedAt, useLookedAt } from '#components/versions/looked-at.tsx';
import { useRefreshAgent } from '#components/versions/use-draft.ts';
import { versionName } from '#components/versions/wording.ts';
import { startSplit } from '#lib/features/publishing/splits/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { splitTitle } from './wording.ts';

const schema = startSplit.body.pick({ percent: true });
const FIRST_PERCENT = 20;

type StartSplitProps = {
  agentId: string;
  /** null: the draft, which is published for its share. */
  version: { id: string; number: number | null } | null;
};

/** Asks how many of the new conversations a second version gets, and begins. */
export function StartSplit({ agentId, version }: StartSplitProps) {
  const { id: workspaceId } = useWorkspace();
  const toast = useToast();
  const refresh = useRefreshAgent();
  const [isOpen, setIsOpen] = useState(false);
  const lookedAt = useLookedAt(agentId, isOpen && version === null);
  const name = version ? versionName(version).toLowerCase() : 'the draft';
  return (
    <OperationDialog
      title={version ? `Split traffic with ${name}` : 'Publish the draft for a share'}
      description={`${version ? `V${name.slice(1)} gets` : 'The draft becomes a version, which gets'} a share of the new calls and chats; the others are held with what is published, and the API goes on reading that. A conversation keeps the version that it began with.`}
      trigger={
        <Button size="sm">
          <SplitIcon aria-hidden="true" />
          {version ? 'Split traffic' : 'Publish for a share'}
          {version ? <span className="sr-only"> with {name}</span> : null}
        </Button>
      }
      saveLabel={version ? 'Split traffic' : 'Publish for this share'}
      schema={schema}
      values={{ percent: FIRST_PERCENT }}
      save={({ percent }) =>
        callOperation(
          startSplit,
          { params: { agentId }, body: { versionId: version?.id ?? null, percent } },
          { workspaceId, confirmation: lookedAt.confirmation },
        )
      }
      isReady={version !== null || lookedAt.isReady}
      onOpenChange={setIsOpen}
      onSaved={({ data }) => {
        void refresh();
        toast({ title: splitTitle(data) });
      }}
    >
      {(form) => (
        <>
          <PercentField form={form} />
          <LookedAt of={lookedAt} />
        </>
      )}
    </OperationDialog>
  );
}

/** The same wherever a share is chosen. */
export function PercentField({ form }: Pick<Parameters<typeof NumberField<{ percent: number }>>[0], 'form'>) {
  return (
    <NumberField
      form={form}
      name="percent"
      label="Share in percent"
      description="1 to 99 of a hundred new conversations. Tests take no part."
      isRequired
      min={1}
      max={99}
    />
  );
}
