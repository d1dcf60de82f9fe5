'use client';

import { createContext, type ReactNode, useContext, useState } from 'react';
import { Radio } from '#components/forms/radio-choice.tsx';
import { BothValues } from '#components/versions/compared-parts.tsx';
import { fieldLabel, valueText } from '#components/versions/wording.ts';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import type { Conflicts } from './conflict.ts';

/** The fields as they are to be saved, or `later`: the form stays as it is. */
type Chosen = Readonly<Record<string, unknown>> | 'later';
type Ask = (conflicts: Conflicts) => Promise<Chosen>;
type Question = { conflicts: Conflicts; answer: (chosen: Chosen) => void };

const ConflictContext = createContext<Ask | null>(null);

/** Asks which text stays where two people saved the same form; once, around all forms. */
export function ConflictProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question | null>(null);
  const [ask] = useState<Ask>(
    () => (conflicts: Conflicts) =>
      conflicts.both.length === 0
        ? Promise.resolve(conflicts.merged)
        : new Promise<Chosen>((answer) => setQuestion({ conflicts, answer })),
  );
  return (
    <ConflictContext value={ask}>
      {children}
      {question ? (
        <ConflictDialog
          conflicts={question.conflicts}
          onChosen={(chosen) => {
            setQuestion(null);
            question.answer(chosen);
          }}
        />
      ) : null}
    </ConflictContext>
  );
}

export function useAskConflict(): Ask {
  const ask = useContext(ConflictContext);
  if (!ask) throw new Error('useAskConflict needs a ConflictProvider around it');
  return ask;
}

const NAMES = { before: 'Theirs, saved meanwhile', after: 'Yours, not saved yet' };

function ConflictDialog({
  conflicts: { both, merged },
  onChosen,
}: {
  conflicts: Conflicts;
  onChosen: (chosen: Chosen) => void;
}) {
  const [keptTheirs, setKeptTheirs] = useState<ReadonlySet<string>>(new Set());
  const choose = (name: string, isTheirs: boolean) => {
    const next = new Set(keptTheirs);
    if (isTheirs) next.add(name);
    else next.delete(name);
    setKeptTheirs(next);
  };
  const chosen = () => ({
    ...merged,
    ...Object.fromEntries(both.map(({ name, mine, theirs }) => [name, keptTheirs.has(name) ? theirs : mine])),
  });
  return (
    <Dialog
      isOpen
      keepsOutsideClicks
      size="xl"
      title="Somebody else saved this while you were writing"
      description="Nothing was overwritten. Choose what stays; what you do not choose can be copied first."
      onOpenChange={() => onChosen('later')}
      footer={
        <>
          <Button onClick={() => onChosen('later')}>Go on writing</Button>
          <Button variant="primary" onClick={() => onChosen(chosen())}>
            Save what is chosen
          </Button>
        </>
      }
    >
      <ul className="flex flex-col gap-5">
        {both.map(({ name, mine, theirs }) => {
          const label = fieldLabel(name, false);
          const [before, after] = [valueText(theirs, name), valueText(mine, name)];
          return (
            <li key={name} className="flex flex-col gap-2">
              <fieldset className="flex min-w-0 flex-wrap items-center gap-x-5 gap-y-1">
                <legend className="mb-1 text-sm font-medium text-ink">{label}</legend>
                <Radio group={name} isChecked={!keptTheirs.has(name)} onChoose={() => choose(name, false)}>
                  Keep yours
                </Radio>
                <Radio group={name} isChecked={keptTheirs.has(name)} onChoose={() => choose(name, true)}>
                  Keep theirs
                </Radio>
                {before === null ? null : <CopyButton text={before} label={`Copy their ${label}`} />}
              </fieldset>
              <BothValues field={{ name, label, before, after }} names={NAMES} />
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}
