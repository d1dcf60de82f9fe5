'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Play } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input, Textarea } from '#components/ui/input.tsx';
import { Select } from '#components/ui/select.tsx';
import { CALENDAR_TOOLS } from '#lib/features/integrations/calendar/tools.ts';
import { type IntegrationDetail, tryIntegration } from '#lib/features/integrations/contract.ts';
import { integrationQueries } from '#lib/features/integrations/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { type TriedArgument, argumentsOf, readGiven } from './tried-arguments.ts';
import { TriedAnswer } from './tried-answer.tsx';

/** Uses a tool with real values, as an agent would, and shows what goes out and what comes back. */
export function TryCard({ integration }: { integration: IntegrationDetail }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const [wantedName, setWantedName] = useState('');
  const [texts, setTexts] = useState<Record<string, string>>({});
  const tools = toolsOf(integration);
  const tool = tools.find(({ name }) => name === wantedName) ?? tools[0];
  const fields = tool ? argumentsOf(tool.parameters) : [];
  const using = useMutation({
    mutationFn: (toolName: string) =>
      callOperation(
        tryIntegration,
        {
          params: { integrationId: integration.id },
          body: { toolName, arguments: readGiven(fields, texts) },
        },
        { workspaceId },
      ),
    onSettled: () =>
      queryClient.invalidateQueries({
        queryKey: integrationQueries.detail(workspaceId, integration.id).queryKey,
      }),
  });
  if (!tool) return null;
  return (
    <Card title="Try it" description="A real request with the values you give: what it changes is changed.">
      <form
        noValidate
        aria-label="Try it"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          using.mutate(tool.name);
        }}
      >
        <Field label="Tool">
          <Select
            options={tools.map(({ name }) => ({ value: name, label: name }))}
            value={tool.name}
            onValueChange={(name) => {
              setWantedName(name);
              setTexts({});
              using.reset();
            }}
          />
        </Field>
        {fields.map((field) => (
          <ArgumentInput
            key={`${tool.name} ${field.name}`}
            field={field}
            value={texts[field.name] ?? ''}
            onChange={(text) => setTexts({ ...texts, [field.name]: text })}
          />
        ))}
        <Button type="submit" className="self-start" isBusy={using.isPending}>
          {using.isPending ? null : <Play aria-hidden="true" />}
          Use it now
        </Button>
        <div aria-live="polite" className="empty:hidden">
          {using.error ? <Notice tone="danger">{describeFailure(using.error)}</Notice> : null}
          {using.data && !using.isPending ? <TriedAnswer use={using.data.data} /> : null}
        </div>
      </form>
    </Card>
  );
}

function toolsOf({ kind, tools, mcpTools }: IntegrationDetail) {
  if (kind === 'calendar') return CALENDAR_TOOLS;
  return [...tools, ...mcpTools.filter(({ isChosen }) => isChosen)];
}

type ArgumentInputProps = { field: TriedArgument; value: string; onChange: (text: string) => void };

function ArgumentInput({ field, value, onChange }: ArgumentInputProps) {
  const { name, kind, choices, description, isRequired } = field;
  const shared = { value, onChange: (event: { target: { value: string } }) => onChange(event.target.value) };
  return (
    <Field
      label={<span className="font-mono">{name}</span>}
      description={kind === 'json' && !choices ? `${description} Written as JSON.`.trim() : description}
      isRequired={isRequired}
    >
      {choices ? (
        <Select
          options={[
            { value: '', label: 'Not given' },
            ...choices.map((each) => ({ value: each, label: each })),
          ]}
          value={value}
          onValueChange={onChange}
        />
      ) : kind === 'json' ? (
        <Textarea rows={3} className="font-mono" {...shared} />
      ) : (
        <Input autoComplete="off" inputMode={kind === 'number' ? 'decimal' : 'text'} {...shared} />
      )}
    </Field>
  );
}
