'use client';

import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ListFilter, X } from 'lucide-react';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { Select } from '#components/ui/select.tsx';
import { Popover } from '#components/ui/tooltip.tsx';
import { resultFieldQueries } from '#lib/features/agents/results/queries.ts';
import { type FieldType, readResultFilter } from '#lib/features/agents/results/rules.ts';
import { type Comparison, COMPARISONS, resultFilterLabel, resultFilterParts } from './result-wording.ts';

type Props = {
  /** '' = conversations of any agent. */
  agentId: string;
  /** As it stands in the address; '' = none. */
  value: string;
  onChange: (value: string) => void;
};

/** What conversations of an agent yielded: a field, how it is compared, and with what. */
export function ResultFilter({ agentId, value, onChange }: Props) {
  const workspace = useWorkspace();
  const [isOpen, setIsOpen] = useState(false);
  const { data } = useQuery({
    ...resultFieldQueries.fields(workspace.id, agentId),
    enabled: agentId !== '',
  });
  const choices: FieldChoice[] = [
    ...(data?.fields ?? []),
    ...(data?.former ?? []).map((field) => ({ ...field, choices: [] })),
  ];
  if (choices.length === 0) {
    if (value === '') return null;
    const label = resultFilterLabel(value);
    return (
      <Button onClick={() => onChange('')} aria-label={`Result ${label}, remove this filter`}>
        {label}
        <X aria-hidden="true" />
      </Button>
    );
  }
  const apply = (next: string) => {
    setIsOpen(false);
    onChange(next);
  };
  return (
    <Popover
      label="Result"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button className="max-w-72 font-normal">
          <ListFilter aria-hidden="true" className="text-ink-subtle" />
          <span className="truncate">{value === '' ? 'Any result' : resultFilterLabel(value)}</span>
        </Button>
      }
    >
      <ResultForm key={value} fields={choices} value={value} onApply={apply} />
    </Popover>
  );
}

type FieldChoice = { name: string; type: FieldType; choices: readonly string[] };

const idOf = ({ name, type }: Pick<FieldChoice, 'name' | 'type'>) => `${name}:${type}`;

function ResultForm({
  fields,
  value,
  onApply,
}: {
  fields: readonly FieldChoice[];
  value: string;
  onApply: (value: string) => void;
}) {
  const given = resultFilterParts(value);
  const [id, setId] = useState(given ? idOf(given) : fields[0] ? idOf(fields[0]) : '');
  const field = fields.find((each) => idOf(each) === id);
  const [is, setIs] = useState<Comparison>(given?.is ?? 'equals');
  const [wanted, setWanted] = useState(given?.value ?? '');
  const comparisons = field ? COMPARISONS[field.type] : [];
  const compared = comparisons.some((each) => each.value === is) ? is : 'equals';
  const hasValue = compared !== 'empty' && compared !== 'filled';
  const text = hasValue ? `${id}:${compared}:${wanted.trim()}` : `${id}:${compared}`;
  const isReady = readResultFilter(text) !== undefined;
  const names = fields.map((each) => ({ value: idOf(each), label: each.name }));
  return (
    <form
      className="flex w-64 flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) onApply(text);
      }}
    >
      <Field label="Field">
        <Select
          options={names}
          value={id}
          onValueChange={(next) => {
            setId(next);
            setWanted('');
          }}
        />
      </Field>
      <Field label="Comparison">
        <Select
          options={comparisons}
          value={compared}
          onValueChange={(next) => setIs(comparisons.find((each) => each.value === next)?.value ?? 'equals')}
        />
      </Field>
      {hasValue && field ? <ValueField field={field} value={wanted} onChange={setWanted} /> : null}
      <div className="flex justify-between gap-2">
        <Button variant="ghost" size="sm" onClick={() => onApply('')}>
          Any result
        </Button>
        <Button type="submit" variant="primary" size="sm" disabled={!isReady}>
          Apply
        </Button>
      </div>
    </form>
  );
}

const INPUT_TYPES = { text: 'text', number: 'number', date: 'date', yes_no: 'text', choice: 'text' } as const;
const YES_NO = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];

function ValueField({
  field,
  value,
  onChange,
}: {
  field: FieldChoice;
  value: string;
  onChange: (value: string) => void;
}) {
  const options =
    field.type === 'yes_no' ? YES_NO : field.choices.map((choice) => ({ value: choice, label: choice }));
  return (
    <Field label="Value">
      {options.length > 0 ? (
        <Select options={options} value={value} onValueChange={onChange} />
      ) : (
        <Input
          type={INPUT_TYPES[field.type]}
          step="any"
          maxLength={200}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
