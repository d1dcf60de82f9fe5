'use client';

import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';

export type PromptVariable = { name: string; isNumber: boolean; isWrong: boolean };

type VariablesFieldsProps = {
  /** What the prompt asks for, in its order. */
  wanted: readonly PromptVariable[];
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
  error: string | undefined;
};

/** A field for each variable of the prompt, and for others that were added by hand. */
export function VariablesFields({ wanted, values, onChange, error }: VariablesFieldsProps) {
  const names = new Set(wanted.map((variable) => variable.name));
  const extra = Object.keys(values).filter((name) => !names.has(name));
  const set = (name: string, value: string) => onChange({ ...values, [name]: value });
  const remove = (name: string) =>
    onChange(Object.fromEntries(Object.entries(values).filter(([other]) => other !== name)));
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-2 text-sm font-medium text-ink">Variables</legend>
      {wanted.length === 0 && extra.length === 0 ? (
        <p className="text-sm text-ink-subtle">This prompt uses no variables.</p>
      ) : null}
      <div className="grid gap-3 sm:grid-cols-2">
        {wanted.map((variable) => (
          <Field
            key={variable.name}
            label={<span className="font-mono text-xs">{variable.name}</span>}
            aside={variable.isNumber ? 'number' : undefined}
            error={variable.isWrong ? 'Is compared with a number, so it must be one' : undefined}
          >
            <Input
              value={values[variable.name] ?? ''}
              inputMode={variable.isNumber ? 'decimal' : 'text'}
              autoComplete="off"
              onChange={(event) =>
                event.target.value === '' ? remove(variable.name) : set(variable.name, event.target.value)
              }
            />
          </Field>
        ))}
        {extra.map((name) => (
          <Field key={name} label={<span className="font-mono text-xs">{name}</span>} aside="added">
            <div className="flex gap-1">
              <Input
                value={values[name] ?? ''}
                autoComplete="off"
                onChange={(event) => set(name, event.target.value)}
              />
              <IconButton
                label={`Remove variable ${name}`}
                icon={<X aria-hidden="true" />}
                onClick={() => remove(name)}
              />
            </div>
          </Field>
        ))}
      </div>
      {wanted.some((variable) => !values[variable.name]) ? (
        <p className="text-sm text-ink-subtle">A sentence that needs an empty one is not said.</p>
      ) : null}
      {error ? <p className="text-sm text-danger-text">{error}</p> : null}
      <AddVariable taken={[...names, ...extra]} onAdd={(name) => set(name, '')} />
    </fieldset>
  );
}

function AddVariable({ taken, onAdd }: { taken: readonly string[]; onAdd: (name: string) => void }) {
  const [name, setName] = useState<string | null>(null);
  if (name === null) {
    return (
      <div>
        <Button variant="ghost" size="sm" className="-ml-2" onClick={() => setName('')}>
          <Plus aria-hidden="true" />
          Add a variable
        </Button>
      </div>
    );
  }
  const isTaken = taken.includes(name.trim());
  const add = () => {
    if (name.trim() === '' || isTaken) return;
    onAdd(name.trim());
    setName(null);
  };
  return (
    <Field label="Name of the variable" error={isTaken ? 'There is one with this name already' : undefined}>
      <div className="flex gap-2">
        <Input
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field appears because its button was pressed
          autoFocus
          value={name}
          maxLength={200}
          autoComplete="off"
          className="font-mono"
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
        <Button onClick={add} disabled={name.trim() === '' || isTaken}>
          Add
        </Button>
        <Button variant="ghost" onClick={() => setName(null)}>
          Cancel
        </Button>
      </div>
    </Field>
  );
}
