'use client';

import { useMutation } from '@tanstack/react-query';
import type { UseFormReturn } from 'react-hook-form';
import { FileText } from 'lucide-react';
import { DeriveAgain } from '#components/prompts/derive-again.tsx';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { useDraft } from '#components/versions/use-draft.ts';
import { Button } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { useToast } from '#components/ui/toast.tsx';
import {
  deriveOutboundPromptCard,
  type OutboundPromptDetail,
  type OutboundPromptView,
  putOutboundPrompt,
} from '#lib/features/prompts/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import type { PromptValues } from './outbound-prompt-fields.tsx';
import { singlePromptFrom } from './single-prompt-starter.ts';
import { useKeepPrompt } from './use-keep-prompt.ts';

type PromptForm = UseFormReturn<PromptValues, unknown, PromptValues>;

/** Begins or ends the use of the single-prompt template. */
export function TemplateSwitch({ detail, form }: { detail: OutboundPromptDetail; form: PromptForm }) {
  const { prompt, writtenCardFields } = detail;
  const { id: workspaceId } = useWorkspace();
  const toast = useToast();
  const keep = useKeepPrompt();
  const singlePrompt = form.watch('singlePrompt') ?? null;
  const draft = useDraft(prompt.agentId);
  const stop = useMutation({
    mutationFn: () =>
      draft.save(
        () =>
          callOperation(
            putOutboundPrompt,
            { params: { agentId: prompt.agentId, promptId: prompt.id }, body: { singlePrompt: null } },
            { workspaceId },
          ),
        { kind: 'prompt', promptId: prompt.id, body: { singlePrompt: null } },
      ),
    onSuccess: (saved) => {
      if (saved) keep(saved.data);
      toast({ title: 'The template is no longer used' });
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  const begin = () => {
    const { voicePrompt, instructions } = prompt;
    // A derived line follows the names; in the template it would be written by hand.
    const opening = writtenCardFields.includes('opening') ? prompt.opening : null;
    form.setValue('singlePrompt', singlePromptFrom({ opening, voicePrompt, instructions }), {
      shouldDirty: true,
    });
  };
  if (prompt.singlePrompt !== null) {
    return (
      <ConfirmDialog
        tone="primary"
        title="Stop using the single prompt?"
        description="Instructions, voice prompt and opening stay as they were last rendered, and can be edited on their own. The template text is dropped."
        confirmLabel="Stop using it"
        onConfirm={() => stop.mutate()}
        trigger={
          <Button size="sm" isBusy={stop.isPending}>
            Stop using the template
          </Button>
        }
      />
    );
  }
  return singlePrompt === null ? (
    <Button size="sm" onClick={begin}>
      <FileText aria-hidden="true" />
      Use the single-prompt template
    </Button>
  ) : (
    <Button size="sm" onClick={() => form.setValue('singlePrompt', null, { shouldDirty: true })}>
      Back to separate texts
    </Button>
  );
}

export function DerivePromptCard({ prompt }: { prompt: OutboundPromptView }) {
  const { id: workspaceId } = useWorkspace();
  const toast = useToast();
  const keep = useKeepPrompt();
  const draft = useDraft(prompt.agentId);
  const derive = useMutation({
    mutationFn: () =>
      draft.save(
        () =>
          callOperation(
            deriveOutboundPromptCard,
            { params: { agentId: prompt.agentId, promptId: prompt.id } },
            { workspaceId },
          ),
        { kind: 'derive_prompt_card', promptId: prompt.id },
      ),
    onSuccess: (saved) => {
      if (saved) keep(saved.data);
      toast({ title: 'Voice card derived from the instructions' });
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  return (
    <DeriveAgain
      isEdited={prompt.voiceCardEdited}
      isBusy={derive.isPending}
      onDerive={() => derive.mutate()}
    />
  );
}
