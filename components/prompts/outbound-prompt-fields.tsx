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

export function OutboundPromptFields({ promptActions, cardActions, cardBadge, ...shared }: Props) {
  const isFromTemplate = (shared.form.watch('singlePrompt') ?? null) !== null;
  const fields = { ...shared, isFromTemplate };
  return (
    <>
      <PromptCard {...fields} actions={promptActions} />
      <VoiceCard {...fields} actions={cardActions} badge={cardBadge} />
      {isFromTemplate ? null : <VoicePromptCard {...fields} />}
    </>
  );
}

type CardProps = Pick<Props, 'form' | 'preview' | 'isReadOnly' | 'isNew'> & {
  isFromTemplate: boolean;
  actions?: React.ReactNode;
};

function PromptCard({ form, preview, isReadOnly, isFromTemplate, actions }: CardProps) {
  const problems = preview?.problems;
  return (
    <Card title="Prompt" description="Why the agent calls, and what it should achieve." actions={actions}>
      <div className="flex flex-col gap-4">
        <TextField
          form={form}
          isDisabled={isReadOnly}
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
  );
}

function VoiceCard(props: CardProps & { badge: React.ReactNode }) {
  const { form, isReadOnly, isFromTemplate, isNew = false } = props;
  const shared = { form, isDisabled: isReadOnly };
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-2">
          Voice card
          {props.badge}
        </span>
      }
      description="Left empty: the names are the agent's, and the opening is made of them or taken from the instructions."
      actions={props.actions}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {isFromTemplate ? null : <OpeningField {...props} />}
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
  );
}

function OpeningField({ form, preview, isReadOnly }: CardProps) {
  return (
    <div className="sm:col-span-2">
      <TemplateField
        form={form}
        name="opening"
        label="Opening"
        size="line"
        isNullable
        isReadOnly={isReadOnly}
        limit={maxCharacters(limits, 'opening')}
        problems={preview?.problems}
        description={OPENING_HINT}
        placeholder={preview?.openingSource === 'derived' ? preview.opening : ''}
      />
    </div>
  );
}

function VoicePromptCard({ form, preview, isReadOnly }: CardProps) {
  return (
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
        problems={preview?.problems}
      />
    </Card>
  );
}

const OPENING_HINT =
  'The exact first words. Chooses by a number: {{count < 2 ? "one order" : "{{count}} orders"}}.';
