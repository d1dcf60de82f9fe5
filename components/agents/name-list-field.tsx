'use client';

import { type ReactNode, useState } from 'react';
import { Plus, X } from 'lucide-react';
import { Badge } from '#components/ui/badge.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Switch } from '#components/ui/checkbox.tsx';
import { Field, FieldError } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';

type NameListFieldProps = {
  value: readonly string[];
  onChange: (value: string[]) => void;
  known: readonly { id: string; label: string; description?: string }[];
  /** `include`: a switch that is on puts the name into the list; `exclude`: it takes it out. */
  mode: 'include' | 'exclude';
  addLabel: string;
  addDescription: ReactNode;
  unknownNote: string;
  isReadOnly: boolean;
  error?: string | undefined;
};

/** A list of names: a switch for each that exists, and the others kept, marked as unknown. */
export function NameListField(props: NameListFieldProps) {
  const { value, onChange, known, mode, isReadOnly } = props;
  const knownIds = new Set(known.map((each) => each.id));
  const unknown = value.filter((name) => !knownIds.has(name));
  const isOn = (id: string) => value.includes(id) === (mode === 'include');
  const without = (id: string) => value.filter((name) => name !== id);
  const set = (id: string, on: boolean) =>
    onChange(on === (mode === 'include') ? [...without(id), id] : without(id));
  return (
    <div className="flex flex-col gap-4">
      {known.map((each) => (
        <Field key={each.id} layout="row" label={each.label} description={each.description}>
          <Switch checked={isOn(each.id)} onCheckedChange={(on) => set(each.id, on)} disabled={isReadOnly} />
        </Field>
      ))}
      {unknown.length > 0 ? (
        <ul className="flex flex-col gap-2" aria-label="Unknown names">
          {unknown.map((name) => (
            <li
              key={name}
              className="flex items-center justify-between gap-3 rounded-md border border-line bg-sunken py-1 pr-1 pl-3"
            >
              <span className="flex min-w-0 flex-wrap items-center gap-2 text-sm">
                <span className="min-w-0 font-mono text-xs break-all">{name}</span>
                <Badge tone="warning">Unknown</Badge>
                <span className="text-ink-subtle">{props.unknownNote}</span>
              </span>
              <IconButton
                size="sm"
                label={`Remove ${name}`}
                icon={<X aria-hidden="true" />}
                disabled={isReadOnly}
                onClick={() => onChange(without(name))}
              />
            </li>
          ))}
        </ul>
      ) : null}
      {isReadOnly && known.length === 0 && unknown.length === 0 ? (
        <p className="text-sm text-ink-subtle">None.</p>
      ) : null}
      {isReadOnly ? null : (
        <AddName
          label={props.addLabel}
          description={props.addDescription}
          onAdd={(name) => onChange([...without(name), name])}
        />
      )}
      {props.error ? <FieldError message={props.error} /> : null}
    </div>
  );
}

function AddName({
  label,
  description,
  onAdd,
}: {
  label: string;
  description: ReactNode;
  onAdd: (name: string) => void;
}) {
  const [name, setName] = useState('');
  const add = () => {
    if (name.trim() === '') return;
    onAdd(name.trim());
    setName('');
  };
  return (
    <Field label={label} description={description}>
      <span className="flex gap-2">
        <Input
          value={name}
          maxLength={200}
          autoComplete="off"
          className="font-mono"
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // Enter adds the name; it must not save the form around it.
            event.preventDefault();
            add();
          }}
        />
        <Button onClick={add} disabled={name.trim() === ''}>
          <Plus aria-hidden="true" />
          Add
        </Button>
      </span>
    </Field>
  );
}
