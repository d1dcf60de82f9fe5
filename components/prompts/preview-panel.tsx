'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Eye } from 'lucide-react';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#components/ui/tabs.tsx';
import { describeFailure } from '#components/forms/server-problems.ts';
import { ApiError } from '#lib/http/client.ts';
import type { PromptPreview } from '#lib/features/prompts/preview/contract.ts';
import { OpeningGaps, OpeningLine } from './opening-line.tsx';
import { withExamples } from './sample-values.ts';

type PreviewPanelProps = {
  preview: PromptPreview | undefined;
  isRendering: boolean;
  error: unknown;
  variables: Record<string, string>;
  onVariablesChange: (variables: Record<string, string>) => void;
};

/** The service's words name fields as a request does, not as the form does. */
function isDraftWrong(error: unknown): boolean {
  return error instanceof ApiError && error.problems.some(({ field }) => field.startsWith('draft'));
}

/** The three renderings of a prompt, live, for sample variables, and the whole text that the model gets. */
export function PreviewPanel(props: PreviewPanelProps) {
  const { preview, error } = props;
  useExamples(props);
  return (
    <Card
      title={
        <span className="flex items-center gap-2">
          Preview
          {props.isRendering ? <Spinner className="size-3.5 text-ink-subtle" /> : null}
        </span>
      }
      description="As a call would hear and get it, with these values."
      actions={preview ? <WholeText text={preview.instructions} /> : null}
    >
      {error && !preview ? (
        <Notice tone="danger">
          {isDraftWrong(error)
            ? 'A field is too long or wrong: the preview appears once it is right.'
            : describeFailure(error)}
        </Notice>
      ) : preview ? (
        <div className="flex flex-col gap-5">
          <VariableInputs
            variables={preview.variables}
            values={props.variables}
            onChange={props.onVariablesChange}
          />
          <Opening preview={preview} />
          <Renderings preview={preview} />
        </div>
      ) : (
        <output aria-busy="true" className="flex flex-col gap-3">
          <span className="sr-only">Rendering the preview</span>
          <Skeleton className="h-16" />
          <Skeleton className="h-40" />
        </output>
      )}
    </Card>
  );
}

function VariableInputs({
  variables,
  values,
  onChange,
}: {
  variables: PromptPreview['variables'];
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
}) {
  if (variables.length === 0) return null;
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium text-ink">Sample variables</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {variables.map((variable) => (
          <Field
            key={variable.name}
            label={<span className="font-mono text-xs">{variable.name}</span>}
            aside={variable.isNumber ? 'number' : undefined}
            error={
              variable.state === 'not a number' ? 'Is compared with a number, so it must be one' : undefined
            }
          >
            <Input
              value={values[variable.name] ?? ''}
              inputMode={variable.isNumber ? 'decimal' : 'text'}
              autoComplete="off"
              placeholder={variable.state === 'missing' ? 'not given' : ''}
              onChange={(event) => onChange(withValue(values, variable.name, event.target.value))}
            />
          </Field>
        ))}
      </div>
    </fieldset>
  );
}

/** An emptied value counts as not given, as it would be when a call leaves it out. */
function withValue(values: Record<string, string>, name: string, value: string): Record<string, string> {
  if (value !== '') return { ...values, [name]: value };
  return Object.fromEntries(Object.entries(values).filter(([other]) => other !== name));
}

const OPENING_SOURCES: Record<PromptPreview['openingSource'], string> = {
  'voice prompt': 'from the hand-written voice prompt',
  opening: 'as written',
  'single prompt': 'from the single prompt',
  derived: 'derived from prompt and names',
};

const VOICE_SOURCES: Record<PromptPreview['voicePromptSource'], string> = {
  card: 'from the voice card',
  'hand-written': 'hand-written',
  'single prompt': 'from the single prompt',
};

function Heading({ title, source }: { title: ReactNode; source: string | null }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h3 className="text-sm font-medium text-ink">{title}</h3>
      {source === null ? null : <Badge>{source}</Badge>}
    </div>
  );
}

function Opening({ preview }: { preview: PromptPreview }) {
  const isSaid = preview.languageRefusal === null;
  return (
    <section aria-label="Opening line" className="flex flex-col gap-2">
      <Heading title="Opening line" source={isSaid ? OPENING_SOURCES[preview.openingSource] : null} />
      {isSaid ? <OpeningLine text={preview.opening} testId="preview-opening" /> : null}
      <OpeningGaps preview={preview} />
    </section>
  );
}

function Renderings({ preview }: { preview: PromptPreview }) {
  const { rendered } = preview;
  return (
    <Tabs defaultValue="voice">
      <TabsList aria-label="Renderings">
        <TabsTrigger value="voice">Voice prompt</TabsTrigger>
        {rendered ? <TabsTrigger value="instructions">Instructions</TabsTrigger> : null}
        <TabsTrigger value="card">Voice card</TabsTrigger>
      </TabsList>
      <TabsContent value="voice" className="pt-3!">
        <p className="mb-2 text-sm text-ink-subtle">{`Who speaks and how: ${VOICE_SOURCES[preview.voicePromptSource]}.`}</p>
        <CodeBlock code={preview.voicePrompt} label="voice prompt" isWrapped />
      </TabsContent>
      {rendered ? (
        <TabsContent value="instructions" className="pt-3!">
          <p className="mb-2 text-sm text-ink-subtle">
            What the single prompt renders as the prompt, before variables.
          </p>
          <CodeBlock code={rendered.instructions} label="instructions" isWrapped />
        </TabsContent>
      ) : null}
      <TabsContent value="card" className="pt-3!">
        <CardFacts card={preview.card} isDerived={preview.cardIsDerived} />
      </TabsContent>
    </Tabs>
  );
}

function CardFacts({ card, isDerived }: { card: PromptPreview['card']; isDerived: boolean }) {
  const facts = [
    ['Persona', card.personaName],
    ['Business', card.businessName],
    ['Helps with', card.scope],
    ['Tone', card.tone],
    ['Asked if it is an AI', card.aiDisclosure],
  ] as const;
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-ink-subtle">
        {isDerived
          ? 'Derived from the prompt as it stands.'
          : 'Edited by hand; a changed prompt leaves it alone.'}
      </p>
      <dl className="grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-4 gap-y-2 text-sm">
        {facts.map(([term, value]) => (
          <div key={term} className="contents">
            <dt className="text-ink-subtle">{term}</dt>
            <dd className="min-w-0 wrap-anywhere text-ink">
              {value ?? <span className="text-ink-subtle">none</span>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function WholeText({ text }: { text: string }) {
  return (
    <Dialog
      size="xl"
      title="What the model gets, whole"
      description="Every word the language model is given before the first turn, with the sample variables filled in."
      trigger={
        <Button size="sm" variant="ghost">
          <Eye aria-hidden="true" />
          Whole text
        </Button>
      }
    >
      <CodeBlock code={text} label="whole text" isWrapped className="[&_pre]:max-h-none" />
    </Dialog>
  );
}

/** Gives every variable an example when it first appears. */
function useExamples({ preview, variables, onVariablesChange }: PreviewPanelProps): void {
  const seen = useRef(new Set<string>());
  useEffect(() => {
    if (!preview) return;
    const next = withExamples(variables, preview.variables, seen.current);
    for (const variable of preview.variables) seen.current.add(variable.name);
    if (next) onVariablesChange(next);
  }, [preview, variables, onVariablesChange]);
}

/** Sample values live as long as the editor is open. */
export function useSampleVariables() {
  return useState<Record<string, string>>({});
}
