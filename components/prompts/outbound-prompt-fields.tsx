'use client';

import type { UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';
import { TextField } from '#components/forms/form-fields.tsx';
import { maxCharacters } from '#components/forms/text-limits.ts';
import { Card } from '#components/ui/card.tsx';
import {
  createOutboundPrompt,
  putOutboundPrompt,
  updateOutboundPrompt,
} from '#lib/features/prompts/contract.ts';
import type { PromptPreview } from '#lib/features/prompts/preview/contract.ts';
import { TemplateField } from './template-field.tsx';

/** Everything of a prompt that is edited together: the API's fields, and the two that only the dashboard writes. */
export const editSchema = putOutboundPrompt.body
  .omit({ singlePrompt: true })
  .extend(updateOutboundPrompt.body.shape);
export type PromptValues = z.input<typeof editSchema>;

type Props = {
  form: UseFormReturn<PromptValues, unknown, PromptValues>;
  preview: PromptPreview | undefined;
  isReadOnly: boolean;
  /** The prompt is not saved yet: its scope is derived when it is. */
  isNew?: boolean;
  promptActions?: React.ReactNode;
  cardActions?: React.ReactNode;
  cardBadge?: React.ReactNode;
};

const limits = createOutboundPrompt.body;

export function OutboundPromptFields({
  form,
  preview,
  isReadOnly,
  isNew = false,
  promptActions,
  cardActions,
  cardBadge,
}: Props) {
  const isFromTemplate = (form.watch('singlePrompt') ?? null) !== null;
  const problems = preview?.problems;
  const shared = { form, isDisabled: isReadOnly };
  return (
    <>
      <Card
        title="Prompt"
        description="Why the agent calls, and what it should achieve."
        actions={promptActions}
      >
        <div className="flex flex-col gap-4">
          <TextField
            {...shared}
            name="title"
            label="Title"
            isRequired
            limit={maxCharacters(limits, 'title')}
            placeholder="Appointment reminder"
          />
          {isFromTemplate ? (
            <TemplateField
              form={form}
              name="singlePrompt"
              label="Single prompt"
              isReadOnly={isReadOnly}
              isNullable
              limit={maxCharacters(editSchema, 'singlePrompt')}
              problems={problems}
              description="Instructions, voice prompt and opening are rendered from this text's sections."
            />
          ) : (
            <TemplateField
              form={form}
              name="instructions"
              label="Instructions"
              isRequired
              isReadOnly={isReadOnly}
              limit={maxCharacters(limits, 'instructions')}
              problems={problems}
              description="{{variables}} are filled in with the values sent with each call."
            />
          )}
        </div>
      </Card>
      <Card
        title={
          <span className="flex flex-wrap items-center gap-2">
            Voice card
            {cardBadge}
          </span>
        }
        description="Left empty: the names are the agent's, and the opening is made of them or taken from the instructions."
        actions={cardActions}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          {isFromTemplate ? null : (
            <div className="sm:col-span-2">
              <TemplateField
                form={form}
                name="opening"
                label="Opening"
                size="line"
                isNullable
                isReadOnly={isReadOnly}
                limit={maxCharacters(limits, 'opening')}
                problems={problems}
                description={OPENING_HINT}
                placeholder={preview?.openingSource === 'derived' ? preview.opening : ''}
              />
            </div>
          )}
          <TextField
            {...shared}
            name="personaName"
            label="Persona name"
            isNullable
            limit={maxCharacters(limits, 'personaName')}
          />
          <TextField
            {...shared}
            name="businessName"
            label="Business name"
            isNullable
            limit={maxCharacters(limits, 'businessName')}
          />
          {isNew ? null : (
            <TextField
              {...shared}
              className="sm:col-span-2"
              name="scope"
              label="Scope"
              rows={2}
              isNullable
              limit={maxCharacters(editSchema, 'scope')}
              description="What this prompt helps with."
            />
          )}
        </div>
      </Card>
      {isFromTemplate ? null : (
        <Card
          title="Hand-written voice prompt"
          description="Replaces the card for the voice model, the opening line included."
        >
          <TemplateField
            form={form}
            name="voicePrompt"
            label="Voice prompt"
            size="line"
            isNullable
            isReadOnly={isReadOnly}
            limit={maxCharacters(limits, 'voicePrompt')}
            problems={problems}
          />
        </Card>
      )}
    </>
  );
}

const OPENING_HINT =
  'The exact first words. Chooses by a number: {{count < 2 ? "one order" : "{{count}} orders"}}.';
