'use client';

import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Field } from '#components/ui/field.tsx';
import { Textarea } from '#components/ui/input.tsx';
import { useToast } from '#components/ui/toast.tsx';
import {
  type IntegrationDetail,
  type OpenApiReading,
  readOpenApi,
} from '#lib/features/integrations/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { asPatch } from './tool-list.ts';
import { useSaveIntegration } from './use-integration.ts';

type Props = { integration: IntegrationDetail; trigger: ReactNode };

/** Takes over operations of an OpenAPI document, in two steps: the document, then what of it. */
export function ImportDialog({ integration, trigger }: Props) {
  const { id: workspaceId } = useWorkspace();
  const [isOpen, setIsOpen] = useState(false);
  const [document, setDocument] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const save = useSaveIntegration(integration.id);
  const toast = useToast();
  const reading = useMutation({
    mutationFn: () => callOperation(readOpenApi, { body: { document } }, { workspaceId }),
  });
  const adding = useMutation({
    mutationFn: (read: OpenApiReading) => {
      const tools = read.tools.flatMap(({ tool }) => (tool && chosen.includes(tool.name) ? tool : []));
      return save({ tools: [...integration.tools, ...tools].map(asPatch) }, { tools: integration.tools });
    },
    onSuccess: () => {
      setIsOpen(false);
      toast({ title: chosen.length === 1 ? '1 tool added' : `${chosen.length} tools added` });
    },
  });
  const read = reading.data?.data;
  const failure = reading.error ?? adding.error;
  return (
    <Dialog
      title="Import from OpenAPI"
      description={
        read
          ? `${read.title || 'The document'}: choose what agents may do.`
          : 'OpenAPI 3 or Swagger 2, as JSON or YAML. Nothing is fetched.'
      }
      size="lg"
      trigger={trigger}
      isOpen={isOpen}
      keepsOutsideClicks={document !== ''}
      onOpenChange={(open) => {
        setIsOpen(open);
        setDocument('');
        setChosen([]);
        reading.reset();
        adding.reset();
      }}
      footer={
        read ? (
          <>
            <Button onClick={() => reading.reset()}>Back</Button>
            <AddButton read={read} chosen={chosen} isBusy={adding.isPending} onAdd={adding.mutate} />
          </>
        ) : (
          <Button
            variant="primary"
            disabled={document.trim() === ''}
            isBusy={reading.isPending}
            onClick={() => reading.mutate()}
          >
            Read document
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {failure ? <Notice tone="danger">{describeFailure(failure)}</Notice> : null}
        {read ? (
          <Operations integration={integration} read={read} chosen={chosen} onChange={setChosen} />
        ) : (
          <DocumentField value={document} onChange={setDocument} />
        )}
      </div>
    </Dialog>
  );
}

type AddButtonProps = {
  read: OpenApiReading;
  chosen: readonly string[];
  isBusy: boolean;
  onAdd: (read: OpenApiReading) => void;
};

function AddButton({ read, chosen, isBusy, onAdd }: AddButtonProps) {
  return (
    <Button variant="primary" disabled={chosen.length === 0} isBusy={isBusy} onClick={() => onAdd(read)}>
      {chosen.length === 0 ? 'Add tools' : `Add ${chosen.length} of ${read.tools.length}`}
    </Button>
  );
}

function DocumentField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  return (
    <>
      <Field label="File">
        <input
          type="file"
          accept=".json,.yaml,.yml,application/json,application/yaml"
          className="text-sm text-ink-muted file:mr-3 file:h-8 file:rounded-md file:border file:border-line-strong file:bg-surface file:px-3 file:text-sm file:text-ink"
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file) void file.text().then(onChange);
          }}
        />
      </Field>
      <Field label="Or its text">
        <Textarea
          rows={10}
          className="font-mono"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          placeholder={'openapi: 3.1.0\ninfo:\n  title: Orders\npaths: …'}
        />
      </Field>
    </>
  );
}

type OperationsProps = {
  integration: IntegrationDetail;
  read: OpenApiReading;
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
};

function Operations({ integration, read, chosen, onChange }: OperationsProps) {
  const known = new Set(integration.tools.map(({ name }) => name));
  if (read.tools.length === 0) return <Notice tone="warning">The document has no operations.</Notice>;
  return (
    <>
      {read.address !== null && read.address !== integration.address ? (
        <Notice tone="warning">
          The document speaks of {read.address}, this integration of {integration.address}. The tools use the
          integration's address.
        </Notice>
      ) : null}
      <ul className="flex flex-col gap-3">
        {read.tools.map(({ label, tool, reason }) => {
          const isKnown = tool !== null && known.has(tool.name);
          const why = reason === null ? (isKnown ? 'is a tool already' : null) : reason;
          return (
            <li key={label}>
              <Field
                layout="check"
                label={<span className="font-mono text-xs break-all">{label}</span>}
                description={why === null ? tool?.description : `Cannot be taken over: it ${why}.`}
              >
                <Checkbox
                  disabled={why !== null}
                  checked={tool !== null && chosen.includes(tool.name)}
                  onCheckedChange={(isOn) => {
                    if (!tool) return;
                    const rest = chosen.filter((name) => name !== tool.name);
                    onChange(isOn === true ? [...rest, tool.name] : rest);
                  }}
                />
              </Field>
            </li>
          );
        })}
      </ul>
    </>
  );
}
