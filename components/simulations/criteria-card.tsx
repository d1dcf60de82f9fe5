'use client';

import { useQuery } from '@tanstack/react-query';
import { type Control, useFieldArray, useWatch } from 'react-hook-form';
import { NumberField, SelectField, TextField } from '#components/forms/form-fields.tsx';
import { messageOf } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Card } from '#components/ui/card.tsx';
import { FieldError } from '#components/ui/field.tsx';
import { promptQueries } from '#lib/features/prompts/queries.ts';
import { Row, Rows, type ScenarioFormReturn } from './scenario-cards.tsx';
import { NEW_CRITERION, type ScenarioForm } from './scenario-form.ts';

const TYPES = [
  { value: 'said', label: 'The agent says' },
  { value: 'not_said', label: 'The agent never says' },
  { value: 'tool_used', label: 'The agent uses the tool' },
  { value: 'tool_not_used', label: 'The agent does not use the tool' },
  { value: 'ended_by', label: 'The call is ended by' },
  { value: 'max_turns', label: 'The agent has at most so many turns' },
  { value: 'judged', label: 'It is true that (judged by the model)' },
];

const ENDERS = [
  { value: 'agent', label: 'The agent' },
  { value: 'person', label: 'The person' },
  { value: 'transfer', label: 'A transfer' },
  { value: 'limit', label: 'A limit (silence, duration)' },
];

/** What must and must not happen. */
export function CriteriaCard({ form }: { form: ScenarioFormReturn }) {
  const control = form.control as Control<ScenarioForm>;
  const { fields, append, remove } = useFieldArray({ control, name: 'criteria' });
  const { criteria: faults } = form.formState.errors;
  const error = messageOf(faults?.root) ?? messageOf({ message: faults?.message });
  return (
    <Card title="Criteria" description="What must and must not happen in the conversation.">
      <Rows addLabel="Add criterion" onAdd={() => append(NEW_CRITERION)}>
        {fields.map((field, index) => (
          <Row key={field.id} label={`Remove criterion ${index + 1}`} onRemove={() => remove(index)}>
            <SelectField
              form={form}
              name={`criteria.${index}.type`}
              label={`Criterion ${index + 1}`}
              options={TYPES}
            />
            <CriterionFields form={form} index={index} />
          </Row>
        ))}
        {error ? <FieldError message={error} /> : null}
      </Rows>
    </Card>
  );
}

function CriterionFields({ form, index }: { form: ScenarioFormReturn; index: number }) {
  const control = form.control as Control<ScenarioForm>;
  const type = useWatch({ control, name: `criteria.${index}.type` });
  const { id: workspaceId } = useWorkspace();
  const catalog = useQuery(promptQueries.catalog(workspaceId));
  const tools = catalog.data?.tools.map(({ name }) => name) ?? [];
  if (type === 'ended_by')
    return <SelectField form={form} name={`criteria.${index}.by`} label="Ended by" options={ENDERS} />;
  if (type === 'max_turns')
    return <NumberField form={form} name={`criteria.${index}.turns`} label="Turns" min={1} max={200} />;
  if (type === 'tool_used' || type === 'tool_not_used')
    return (
      <div className="flex min-w-0 flex-col gap-3">
        <TextField form={form} name={`criteria.${index}.tool`} label="Tool" isMono suggestions={tools} />
        {type === 'tool_used' ? (
          <TextField
            form={form}
            name={`criteria.${index}.arguments`}
            label="With these words in its arguments"
            rows={2}
            isMono
            placeholder="date: Tuesday"
            description="A line for each, argument: words. Empty: any."
          />
        ) : null}
      </div>
    );
  return (
    <TextField
      form={form}
      name={`criteria.${index}.words`}
      label={type === 'judged' ? 'Sentence' : 'Words'}
      rows={type === 'judged' ? 2 : 1}
      placeholder={
        type === 'judged' ? 'The agent was friendly and did not press.' : '80 euros | eighty euros'
      }
      description={
        type === 'judged' ? 'Without a language model nobody judges it.' : 'Alternatives stand beside |.'
      }
    />
  );
}
