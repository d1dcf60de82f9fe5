'use client';

import { useSuspenseQuery } from '@tanstack/react-query';
import { type Control, type UseFormReturn, useFieldArray, useWatch } from 'react-hook-form';
import type { ReactNode } from 'react';
import { Plus, X } from 'lucide-react';
import { SelectField, SwitchField, TextField } from '#components/forms/form-fields.tsx';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Link } from '#components/ui/link.tsx';
import { promptQueries } from '#lib/features/prompts/queries.ts';
import type { ScenarioForm } from './scenario-form.ts';

export type ScenarioFormReturn = UseFormReturn<ScenarioForm, unknown, ScenarioForm>;
type CardProps = { form: ScenarioFormReturn };

const DIRECTIONS = [
  { value: 'INBOUND', label: 'The person calls the agent' },
  { value: 'OUTBOUND', label: 'The agent calls the person' },
];

const MANNERS = [
  { value: 'patient', label: 'Patient' },
  { value: 'interrupts', label: 'Interrupts' },
  { value: 'silent', label: 'Says nothing' },
  { value: 'hangs_up', label: 'Hangs up after the last line' },
];

const PLAYERS = [
  { value: 'script', label: 'The script below' },
  { value: 'model', label: 'The language model, from the description' },
];

/** Of a scenario that was made of a conversation: which, and whether it is deleted with it. */
export function SourceCard({ form, callId }: CardProps & { callId: string }) {
  const { id: workspaceId } = useWorkspace();
  return (
    <Card title="Made of a conversation">
      <div className="flex flex-col gap-4">
        <SwitchField
          form={form}
          name="goesWithCall"
          label="Delete it with the conversation"
          description="It has words of the person. Switch this off for good once it has none left."
        />
        <Link
          href={workspacePath(workspaceId, `conversations/${encodeURIComponent(callId)}`)}
          className="self-start rounded-sm text-sm text-accent-ink underline underline-offset-2"
        >
          Open the conversation
        </Link>
      </div>
    </Card>
  );
}

/** Who calls whom, with which prompt and values. */
export function CallCard({ form, agentId }: CardProps & { agentId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data: prompts } = useSuspenseQuery(promptQueries.list(workspaceId, agentId));
  const control = form.control as Control<ScenarioForm>;
  const direction = useWatch({ control, name: 'direction' });
  return (
    <Card title="Call">
      <div className="flex flex-col gap-4">
        <TextField form={form} name="name" label="Name" isRequired placeholder="Asks for the price" />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField form={form} name="direction" label="Direction" options={DIRECTIONS} />
          {direction === 'OUTBOUND' ? (
            <SelectField
              form={form}
              name="outboundPromptId"
              label="Outbound prompt"
              isNullable
              isRequired
              options={prompts.map(({ id, title }) => ({ value: id, label: title }))}
            />
          ) : null}
        </div>
        <Variables form={form} />
      </div>
    </Card>
  );
}

function Variables({ form }: CardProps) {
  const { fields, append, remove } = useFieldArray({
    control: form.control as Control<ScenarioForm>,
    name: 'variables',
  });
  return (
    <Rows
      legend="Variables"
      hint="What {{name}} in the prompt stands for."
      addLabel="Add variable"
      onAdd={() => append({ name: '', value: '' })}
    >
      {fields.map((field, index) => (
        <Row key={field.id} label={`Remove variable ${index + 1}`} onRemove={() => remove(index)}>
          <TextField form={form} name={`variables.${index}.name`} label="Name" isMono />
          <TextField form={form} name={`variables.${index}.value`} label="Value" />
        </Row>
      ))}
    </Rows>
  );
}

/** Who is played, and how. */
export function CallerCard({ form }: CardProps) {
  const control = form.control as Control<ScenarioForm>;
  const script = useFieldArray({ control, name: 'script' });
  const facts = useFieldArray({ control, name: 'facts' });
  return (
    <Card title="Person" description="Who talks to the agent, what they want and what they know.">
      <div className="flex flex-col gap-5">
        <TextField
          form={form}
          name="description"
          label="Description"
          rows={2}
          limit={4_000}
          placeholder="Anna Berg, a patient with a toothache, who wants to know what a check-up costs."
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField form={form} name="playedBy" label="Played by" options={PLAYERS} />
          <SelectField form={form} name="manner" label="Manner" options={MANNERS} />
        </div>
        <Rows
          legend="Script"
          hint="Said in order, one line for each turn. A line with a condition is said once, when the agent mentions it; alternatives stand beside |."
          addLabel="Add line"
          onAdd={() => script.append({ say: '', when: '' })}
        >
          {script.fields.map((field, index) => (
            <Row key={field.id} label={`Remove line ${index + 1}`} onRemove={() => script.remove(index)}>
              <TextField form={form} name={`script.${index}.say`} label={`Line ${index + 1}`} />
              <TextField
                form={form}
                name={`script.${index}.when`}
                label="When the agent mentions"
                placeholder="insurance | insured"
              />
            </Row>
          ))}
        </Rows>
        <Rows
          legend="Facts"
          hint="Told when the agent asks about them."
          addLabel="Add fact"
          onAdd={() => facts.append({ about: '', answer: '' })}
        >
          {facts.fields.map((field, index) => (
            <Row key={field.id} label={`Remove fact ${index + 1}`} onRemove={() => facts.remove(index)}>
              <TextField form={form} name={`facts.${index}.about`} label="Asked about" placeholder="name" />
              <TextField
                form={form}
                name={`facts.${index}.answer`}
                label="Answer"
                placeholder="My name is Anna Berg."
              />
            </Row>
          ))}
        </Rows>
        <TextField form={form} name="closing" label="Closing words" isRequired />
      </div>
    </Card>
  );
}

/** What the tools of the workspace answer. */
export function ToolsCard({ form }: CardProps) {
  const control = form.control as Control<ScenarioForm>;
  const { fields, append, remove } = useFieldArray({ control, name: 'tools' });
  return (
    <Card
      title="Tools of your integrations"
      description="What they answer in this scenario. A tool that is not listed cannot be used. Built-in tools work as on a call, without an effect outside."
    >
      <Rows addLabel="Add tool" onAdd={() => append({ name: '', isReal: false, answer: '{ "ok": true }' })}>
        {fields.map((field, index) => (
          <Row key={field.id} label={`Remove tool ${index + 1}`} onRemove={() => remove(index)}>
            <div className="flex flex-col gap-3">
              <TextField form={form} name={`tools.${index}.name`} label="Tool" isMono />
              <SwitchField
                form={form}
                name={`tools.${index}.isReal`}
                label="Use the real one"
                description="With all that it does."
              />
            </div>
            <TextField form={form} name={`tools.${index}.answer`} label="Answer, as JSON" rows={4} isMono />
          </Row>
        ))}
      </Rows>
    </Card>
  );
}

/** A list of rows that grows. */
export function Rows({
  legend,
  hint,
  addLabel,
  onAdd,
  children,
}: {
  legend?: string;
  hint?: string;
  addLabel: string;
  onAdd: () => void;
  children: ReactNode;
}) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      {legend ? <legend className="mb-1 text-sm font-medium text-ink">{legend}</legend> : null}
      {hint ? <p className="text-sm text-pretty text-ink-subtle">{hint}</p> : null}
      {children}
      <div>
        <Button size="sm" onClick={onAdd}>
          <Plus aria-hidden="true" />
          {addLabel}
        </Button>
      </div>
    </fieldset>
  );
}

export function Row({
  label,
  onRemove,
  children,
}: {
  label: string;
  onRemove: () => void;
  children: ReactNode;
}) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 rounded-md border border-line bg-sunken/60 p-3">
      <div className="grid items-start gap-3 sm:grid-cols-2">{children}</div>
      <IconButton label={label} icon={<X aria-hidden="true" />} onClick={onRemove} />
    </div>
  );
}
