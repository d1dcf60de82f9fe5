'use client';

import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { OperationDialog } from '#components/forms/operation-dialog.tsx';
import { TextField } from '#components/forms/form-fields.tsx';
import { maxCharacters } from '#components/forms/text-limits.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { createTag, type CustomTag, updateTag } from '#lib/features/tags/contract.ts';
import { tagQueries } from '#lib/features/tags/queries.ts';
import { callOperation } from '#lib/http/client.ts';

const RULE_HINT = 'When it applies, in a sentence. The analyzer follows it to the letter.';

export function CreateTagDialog({ trigger }: { trigger: ReactNode }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  return (
    <OperationDialog
      title="New tag"
      saveLabel="Create tag"
      trigger={trigger}
      schema={createTag.body}
      values={{ name: '', description: '' }}
      save={(body) => callOperation(createTag, { body }, { workspaceId })}
      onSaved={({ data }) => {
        toast({ title: `${data.name} is applied from now on` });
        void queryClient.invalidateQueries({ queryKey: tagQueries.list(workspaceId).queryKey });
      }}
    >
      {(form) => (
        <>
          <TextField
            form={form}
            name="name"
            label="Name"
            isRequired
            isMono
            placeholder="wants_invoice"
            description="Letters of any language, digits, _ and -; a space becomes _. It cannot be changed later."
          />
          <TextField
            form={form}
            name="description"
            label="Rule"
            rows={3}
            isRequired
            limit={maxCharacters(createTag.body, 'description')}
            description={RULE_HINT}
          />
        </>
      )}
    </OperationDialog>
  );
}

export function EditTagDialog({ tag, trigger }: { tag: CustomTag; trigger: ReactNode }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  return (
    <OperationDialog
      title={`Rule of ${tag.name}`}
      saveLabel="Save"
      trigger={trigger}
      schema={updateTag.body}
      values={{ description: tag.description }}
      save={(body, base) =>
        callOperation(updateTag, { params: { name: tag.name }, body: { ...body, base } }, { workspaceId })
      }
      onSaved={() => {
        toast({ title: 'Rule saved' });
        void queryClient.invalidateQueries({ queryKey: tagQueries.list(workspaceId).queryKey });
      }}
    >
      {(form) => (
        <TextField
          form={form}
          name="description"
          label="Rule"
          rows={3}
          isRequired
          limit={maxCharacters(updateTag.body, 'description')}
          description={RULE_HINT}
        />
      )}
    </OperationDialog>
  );
}
