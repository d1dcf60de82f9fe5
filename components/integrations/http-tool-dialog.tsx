'use client';

import { type ReactNode, useState } from 'react';
import { FormDialog } from '#components/forms/form-dialog.tsx';
import { NumberField, SelectField, TextField } from '#components/forms/form-fields.tsx';
import { withoutPrefix } from '#components/forms/server-problems.ts';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useToast } from '#components/ui/toast.tsx';
import { type IntegrationDetail, type ShownTool } from '#lib/features/integrations/contract.ts';
import { httpTool } from '#lib/features/integrations/fields/contract.ts';
import { HTTP_METHODS, TOOL_LIMITS } from '#lib/features/integrations/http/tool.ts';
import { ArgumentsField, type ToolForm } from './arguments-field.tsx';
import { NEW_TOOL, readValues, toolForm, type ToolFormValues, valuesOf } from './tool-form.ts';
import { asPatch } from './tool-list.ts';
import { useSaveIntegration } from './use-integration.ts';

type Props = {
  integration: IntegrationDetail;
  /** The one to edit; a new one without it. */
  tool?: ShownTool;
  trigger: ReactNode;
};

const METHODS = HTTP_METHODS.map((method) => ({ value: method, label: method }));

/** Saves a tool at its place in the list; a new one at the end. */
function useToolForm(integration: IntegrationDetail, tool: ShownTool | undefined, onSaved: () => void) {
  const save = useSaveIntegration(integration.id);
  const toast = useToast();
  const place = tool ? integration.tools.findIndex(({ name }) => name === tool.name) : -1;
  async function saveTool(given: ToolFormValues): Promise<void> {
    const read = readValues(given);
    if (!read.ok) return;
    const changed = httpTool.parse(read.tool);
    const tools = integration.tools.map(asPatch);
    const next = place < 0 ? [...tools, changed] : tools.with(place, changed);
    await save({ tools: next }, { tools: integration.tools }).catch((error: unknown) => {
      throw withoutPrefix(error, `tools.${place < 0 ? tools.length : place}.`);
    });
  }
  return useOperationForm({
    schema: toolForm,
    values: tool ? valuesOf(tool) : NEW_TOOL,
    save: saveTool,
    onSaved: () => {
      onSaved();
      toast({ title: 'Tool saved' });
    },
  });
}

/** One request that agents can make: its address, its arguments, and what is heard of the answer. */
export function HttpToolDialog({ integration, tool, trigger }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const operation = useToolForm(integration, tool, () => setIsOpen(false));
  const { form } = operation;
  return (
    <FormDialog
      title={tool ? `Edit ${tool.name}` : 'New tool'}
      size="lg"
      isOpen={isOpen}
      onOpenChange={(open) => {
        setIsOpen(open);
        form.reset(tool ? valuesOf(tool) : NEW_TOOL);
      }}
      trigger={trigger}
      operation={operation}
      saveLabel={tool ? 'Save tool' : 'Add tool'}
    >
      <RequestFields form={form} address={integration.address} />
      <ArgumentsField form={form} />
      <AnswerFields form={form} />
    </FormDialog>
  );
}

function RequestFields({ form, address }: { form: ToolForm; address: string }) {
  return (
    <>
      <TextField
        form={form}
        name="name"
        label="Name"
        isRequired
        isMono
        placeholder="look_up_order"
        description="How the agent calls it; it stands in transcripts."
      />
      <TextField
        form={form}
        name="description"
        label="What it does, and when to use it"
        rows={3}
        isRequired
        limit={TOOL_LIMITS.description}
        placeholder="Looks up an order by its number. Use it when somebody asks where their order is."
      />
      <div className="grid gap-4 sm:grid-cols-[8rem_minmax(0,1fr)]">
        <SelectField form={form} name="method" label="Method" options={METHODS} />
        <TextField
          form={form}
          name="path"
          label="Rest of the address"
          isMono
          placeholder="/orders/{{order_number}}"
          description={<span className="break-all">Follows {address}</span>}
        />
      </div>
    </>
  );
}

function AnswerFields({ form }: { form: ToolForm }) {
  return (
    <>
      <TextField
        form={form}
        name="answer"
        label="What the agent hears"
        isNullable
        isMono
        rows={2}
        placeholder="Order {{id}} is {{status}} and arrives on {{delivery.date}}."
        description="A path into the JSON, such as items[0].name, or a text with paths in braces. Empty: the whole answer, up to 4,000 characters."
      />
      <div className="grid gap-4 sm:grid-cols-[8rem_minmax(0,1fr)]">
        <NumberField
          form={form}
          name="timeoutS"
          label="Wait, in seconds"
          min={TOOL_LIMITS.minTimeoutMs / 1000}
          max={TOOL_LIMITS.maxTimeoutMs / 1000}
        />
        <TextField
          form={form}
          name="meanwhile"
          label="Said meanwhile"
          isNullable
          limit={TOOL_LIMITS.meanwhile}
          placeholder="One moment, I am looking that up."
          description="Where the agent has said nothing yet."
        />
      </div>
    </>
  );
}
