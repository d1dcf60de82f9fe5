'use client';

import { useQueryClient } from '@tanstack/react-query';
import { type Control, type UseFormReturn, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { CheckGroupField } from '#components/forms/check-group-field.tsx';
import { FormFailure } from '#components/forms/form-bar.tsx';
import { NumberField, SwitchField } from '#components/forms/form-fields.tsx';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { useDraft } from '#components/versions/use-draft.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { type OutboundPromptDetail, updateOutboundPrompt } from '#lib/features/prompts/contract.ts';
import { promptQueries } from '#lib/features/prompts/queries.ts';
import { RETRY_LIMITS } from '#lib/features/prompts/retry/rules.ts';
import { callOperation } from '#lib/http/client.ts';

const schema = updateOutboundPrompt.body.pick({ retry: true });
type Values = z.input<typeof schema>;
type FieldProps = { form: UseFormReturn<Values, unknown, Values>; isDisabled: boolean };

/** Whether somebody who was busy or did not answer is called again with this prompt. */
export function RetryCard({ detail }: { detail: OutboundPromptDetail }) {
  const { id: workspaceId, role } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const { agentId, id: promptId } = detail.prompt;
  const draft = useDraft(agentId);
  const { form, submit, submitDraft, isSaving, isDirty } = useOperationForm({
    schema,
    values: { retry: detail.retry },
    save: (body, base) =>
      draft.save<unknown>(
        () =>
          callOperation(
            updateOutboundPrompt,
            { params: { agentId, promptId }, body: { ...body, base } },
            { workspaceId },
          ),
        { kind: 'prompt_own', promptId, body },
        base,
      ),
    saveDraft: (body, base) => draft.saveDraft({ kind: 'prompt_own', promptId, body }, base),
    onSaved: () => {
      toast({ title: 'Further attempts saved' });
      void queryClient.invalidateQueries(promptQueries.detail(workspaceId, agentId, promptId));
    },
  });
  const isOn = useWatch({ control: form.control as Control<Values>, name: 'retry.isOn' });
  const shared = { form, isDisabled: role === 'viewer' };
  return (
    <form noValidate aria-label="Further attempts" onSubmit={(event) => void submit(event)}>
      <Card
        title="Further attempts"
        description="Each is a call of its own, with its own conversation and webhook. Never after somebody answered, a voicemail, or an opt-out."
      >
        <div className="flex flex-col gap-4">
          <FormFailure message={form.formState.errors.root?.server?.message} />
          <SwitchField {...shared} name="retry.isOn" label="Call again when the person was not reached" />
          {isOn ? <RuleFields {...shared} /> : null}
          {role === 'viewer' ? null : (
            <span className="flex flex-wrap gap-2">
              <Button type="submit" isBusy={isSaving} disabled={!isDirty}>
                {draft.isDraft ? 'Save attempts to draft' : 'Save attempts'}
              </Button>
              {draft.isDraft ? null : (
                <Button variant="ghost" disabled={!isDirty || isSaving} onClick={() => void submitDraft()}>
                  Save as draft
                </Button>
              )}
            </span>
          )}
        </div>
      </Card>
    </form>
  );
}

function RuleFields(shared: FieldProps) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          {...shared}
          name="retry.attempts"
          label="Calls at most"
          min={RETRY_LIMITS.minAttempts}
          max={RETRY_LIMITS.maxAttempts}
          description="The first one included."
        />
        <NumberField
          {...shared}
          name="retry.delayMinutes"
          label="Minutes between them"
          min={RETRY_LIMITS.minDelayMinutes}
          max={RETRY_LIMITS.maxDelayMinutes}
          description="Longer where calling hours say so."
        />
      </div>
      <CheckGroupField {...shared} name="retry.on" label="After" choices={REASONS} />
    </>
  );
}

const REASONS = [
  ['busy', 'Busy'],
  ['no_answer', 'No answer'],
] as const;
