'use client';

import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { DropdownMenu, MenuItem, MenuLabel } from '#components/ui/dropdown-menu.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { DISPOSITION_WORDS } from '#components/conversations/wording.ts';
import { ChevronDown } from 'lucide-react';
import { WithReading } from '#components/forms/phone-field.tsx';
import { numberError, useWrittenNumber } from '#components/forms/use-number-reader.ts';
import { SIMULATED_PEOPLE, simulatedNumber, simulatedPersonAt } from './simulated-people.ts';

type PersonFieldProps = {
  label: string;
  value: string;
  onChange: (number: string) => void;
  onBlur?: () => void;
  error: string | undefined;
  /** On the simulated carrier the last two digits decide how the person behaves. */
  isSimulated: boolean;
};

/** The person's number; on the simulated carrier with a list of who could answer. */
export function PersonField({ label, value, onChange, onBlur, error, isSimulated }: PersonFieldProps) {
  const { text, write, reading } = useWrittenNumber(value, onChange);
  const person = isSimulated ? simulatedPersonAt(value) : undefined;
  return (
    <Field
      label={label}
      error={numberError(error, reading)}
      isRequired
      description={
        <WithReading
          text={text}
          reading={reading}
          description={
            person ? (
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                {person.does}.
                <Badge tone={DISPOSITION_WORDS[person.outcome].tone}>
                  {DISPOSITION_WORDS[person.outcome].label}
                </Badge>
              </span>
            ) : isSimulated ? (
              'A simulated person: the last two digits decide how they behave.'
            ) : (
              'Somebody will really be called.'
            )
          }
        />
      }
    >
      <div className="flex gap-2">
        <Input
          type="tel"
          inputMode="tel"
          autoComplete="off"
          placeholder="+1 555 019 9901"
          value={text}
          onBlur={onBlur}
          onChange={(event) => write(event.target.value)}
          className="figures flex-1"
        />
        {isSimulated ? <PersonPicker onPick={(ending) => onChange(simulatedNumber(ending))} /> : null}
      </div>
    </Field>
  );
}

function PersonPicker({ onPick }: { onPick: (ending: string) => void }) {
  return (
    <DropdownMenu
      className="w-80 max-w-[calc(100vw-1rem)]"
      trigger={
        <Button>
          Choose a person
          <ChevronDown aria-hidden="true" className="text-ink-subtle" />
        </Button>
      }
    >
      <MenuLabel>Who answers?</MenuLabel>
      {SIMULATED_PEOPLE.map((person) => (
        <MenuItem key={person.ending} onSelect={() => onPick(person.ending)}>
          <span className="figures w-7 shrink-0 font-mono text-xs text-ink-subtle">…{person.ending}</span>
          <span className="min-w-0 flex-1">{person.does}</span>
        </MenuItem>
      ))}
    </DropdownMenu>
  );
}
