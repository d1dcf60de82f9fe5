'use client';

import { useQuery } from '@tanstack/react-query';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { SelectField, SwitchField, TextField } from '#components/forms/form-fields.tsx';
import { PhoneField } from '#components/forms/phone-field.tsx';
import { maxCharacters } from '#components/forms/text-limits.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Card } from '#components/ui/card.tsx';
import type { SelectOption } from '#components/ui/select.tsx';
import { promptQueries } from '#lib/features/prompts/queries.ts';
import { behaviourSchema, type BehaviourValues } from './behaviour-schema.ts';

export type BehaviourForm = UseFormReturn<BehaviourValues, unknown, BehaviourValues>;
type Props = { form: BehaviourForm; isReadOnly: boolean };

const TRANSFER_MODES = [
  { value: 'cold', label: 'At once', detail: 'The caller is connected without further words' },
  {
    value: 'warm',
    label: 'After a word with the colleague',
    detail: 'The agent says what it is about, and comes back where nobody takes the call',
  },
];

const CALLER_IDS = [
  { value: 'agent', label: 'The business number', detail: 'The colleague sees the number the agent uses' },
  { value: 'human', label: 'The caller’s number', detail: 'The colleague sees who is really calling' },
];

/** Identity, and how the agent holds a conversation. */
export function CallCards({ form, isReadOnly }: Props) {
  return (
    <>
      <IdentityCard form={form} isReadOnly={isReadOnly} />
      <ConversationCard form={form} isReadOnly={isReadOnly} />
      <TransferCard form={form} isReadOnly={isReadOnly} />
      <LanguageCard form={form} isReadOnly={isReadOnly} />
    </>
  );
}

function IdentityCard({ form, isReadOnly }: Props) {
  const shared = { form, isDisabled: isReadOnly };
  const limit = (name: string) => maxCharacters(behaviourSchema, name);
  return (
    <Card title="Agent">
      <div className="flex flex-col gap-4">
        <TextField {...shared} name="name" label="Name" isRequired limit={limit('name')} />
        <TextField
          {...shared}
          name="description"
          label="Description"
          isNullable
          limit={limit('description')}
          description="For your team; it is never spoken."
        />
        <SwitchField
          {...shared}
          name="isActive"
          label="Active"
          description="An inactive agent places and takes no calls."
        />
      </div>
    </Card>
  );
}

function ConversationCard({ form, isReadOnly }: Props) {
  const shared = { form, isDisabled: isReadOnly };
  return (
    <Card title="Conversation">
      <div className="flex flex-col gap-4">
        <SwitchField
          {...shared}
          name="hasEndCall"
          label="End the call"
          description="The agent may hang up after a goodbye. Otherwise the person does."
        />
        <SwitchField
          {...shared}
          name="hasBargeIn"
          label="Can be interrupted"
          description="The agent stops speaking when the person talks over it."
        />
      </div>
    </Card>
  );
}

function TransferCard({ form, isReadOnly }: Props) {
  const shared = { form, isDisabled: isReadOnly };
  const [hasCallTransfer, hasAuto] = useWatch({
    control: form.control,
    name: ['hasCallTransfer', 'hasAutoInboundTransfer'],
  });
  return (
    <Card title="Transfer to a person">
      <div className="flex flex-col gap-4">
        <SwitchField
          {...shared}
          name="hasCallTransfer"
          label="Transfer calls"
          description="The agent may hand a call over when a human is asked for."
        />
        <SwitchField
          {...shared}
          name="hasAutoInboundTransfer"
          label="Transfer inbound calls at once"
          description="The agent speaks its greeting, then connects every inbound caller to the number below. Without a number, here or in the prompt, it answers as usual."
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <PhoneField
            {...shared}
            name="inboundTransferNumber"
            label="Transfer number"
            isNullable
            placeholder="+1 555 010 0009"
            description={
              hasCallTransfer || hasAuto
                ? 'Where calls are handed over to.'
                : 'Used once one of the switches above is on.'
            }
          />
          <SelectField
            {...shared}
            name="transferCallerId"
            label="Number shown on transfer"
            options={CALLER_IDS}
          />
          <SelectField
            {...shared}
            name="transferMode"
            label="How calls are handed over"
            options={TRANSFER_MODES}
          />
        </div>
      </div>
    </Card>
  );
}

function LanguageCard({ form, isReadOnly }: Props) {
  const shared = { form, isDisabled: isReadOnly };
  const [hasLanguage, hasHints, voiceId] = useWatch({
    control: form.control,
    name: ['hasLanguage', 'hasHints', 'voiceId'],
  });
  const voiceOptions = useVoiceOptions(voiceId);
  return (
    <Card title="Language and voice">
      <div className="flex flex-col gap-4">
        <SwitchField
          {...shared}
          name="isMultilingual"
          label="Multilingual"
          description="The agent follows the person into another language."
        />
        <SwitchField
          {...shared}
          name="hasLanguage"
          label="Own language"
          description="Speak and understand the language below instead of English."
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            {...shared}
            name="language"
            label="Language code"
            isNullable
            placeholder="de-DE"
            description={hasLanguage ? 'Such as en-US or de-DE.' : 'Used once “Own language” is on.'}
          />
          <SelectField {...shared} name="voiceId" label="Voice" isNullable options={voiceOptions} />
        </div>
        <SwitchField
          {...shared}
          name="hasHints"
          label="Recognition hints"
          description="Names and terms that speech recognition should expect."
        />
        <TextField
          {...shared}
          name="hints"
          label="Hints"
          rows={2}
          isNullable
          limit={maxCharacters(behaviourSchema, 'hints')}
          placeholder="Dr. Okonkwo, periodontitis, Invisalign"
          description={hasHints ? 'Separated by commas.' : 'Used once “Recognition hints” is on.'}
        />
      </div>
    </Card>
  );
}

/** The voices there are; a chosen one that is unknown here stays in the list, marked as such. */
function useVoiceOptions(voiceId: string | null | undefined): SelectOption[] {
  const { id: workspaceId } = useWorkspace();
  const { data: catalog } = useQuery(promptQueries.catalog(workspaceId));
  const voices = catalog?.voices ?? [];
  const isKnown = !voiceId || voices.some((voice) => voice.id === voiceId);
  return [
    { value: '', label: 'Default voice' },
    ...voices.map((voice) => ({ value: voice.id, label: voice.label, detail: voice.language })),
    ...(isKnown || !voiceId
      ? []
      : [
          { value: voiceId, label: voiceId, detail: catalog ? 'Unknown here; the default voice speaks' : '' },
        ]),
  ];
}
