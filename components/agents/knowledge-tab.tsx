'use client';

import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import { BookOpen } from 'lucide-react';
import { ApiCallButton } from '#components/forms/api-call.tsx';
import { FormBar, FormFailure } from '#components/forms/form-bar.tsx';
import { NewButton } from '#components/forms/operation-dialog.tsx';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { KnowledgeBaseDialog } from '#components/knowledge/knowledge-base-dialog.tsx';
import { KnowledgeSearch } from '#components/knowledge/knowledge-search.tsx';
import { UploadZone } from '#components/knowledge/upload-zone.tsx';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Field } from '#components/ui/field.tsx';
import { Link } from '#components/ui/link.tsx';
import { Select } from '#components/ui/select.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { setAgentKnowledgeBases } from '#lib/features/knowledge/contract.ts';
import { setKnowledgeBaseAgents } from '#lib/features/knowledge/dashboard/contract.ts';
import { knowledgeQueries } from '#lib/features/knowledge/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { useMayEdit } from './use-agent.ts';

function useAttachForm(agentId: string) {
  const { id: workspaceId } = useWorkspace();
  const { data: attached } = useSuspenseQuery(knowledgeQueries.ofAgent(workspaceId, agentId));
  const queryClient = useQueryClient();
  const toast = useToast();
  const params = { agentId };
  return useOperationForm({
    schema: setAgentKnowledgeBases.body,
    values: { knowledgeBaseIds: attached.map((base) => base.id).toSorted() },
    save: (body, base) =>
      callOperation(setAgentKnowledgeBases, { params, body: { ...body, base } }, { workspaceId }),
    onSaved: () => {
      void queryClient.invalidateQueries({ queryKey: knowledgeQueries.root(workspaceId) });
      void queryClient.invalidateQueries({ queryKey: [...agentQueries.root(workspaceId), 'list'] });
      toast({ title: 'Knowledge bases saved' });
    },
  });
}

/** Which knowledge bases the agent answers from, and what it would find in them. */
export function KnowledgeTab({ agentId }: { agentId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data: bases } = useSuspenseQuery(knowledgeQueries.names(workspaceId));
  const mayEdit = useMayEdit();
  const { form, submit, isSaving, isDirty, pendingBody } = useAttachForm(agentId);
  const { field } = useController({ control: form.control, name: 'knowledgeBaseIds' });
  if (bases.length === 0) return <NoKnowledge agentId={agentId} />;
  const toggle = (id: string, isOn: boolean) =>
    field.onChange((isOn ? [...field.value, id] : field.value.filter((other) => other !== id)).toSorted());
  return (
    <div className="grid items-start gap-6 xl:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-6">
        <form noValidate onSubmit={(event) => void submit(event)} className="flex min-w-0 flex-col gap-4">
          <FormFailure message={form.formState.errors.root?.server?.message} />
          <Card
            title="Knowledge bases"
            description="The agent searches these, and only these, during a call."
            actions={mayEdit ? <NewBaseButton agentId={agentId} variant="secondary" /> : null}
          >
            <div className="flex flex-col gap-4">
              {bases.map((base) => (
                <Field key={base.id} layout="check" label={base.name} description={base.description}>
                  <Checkbox
                    checked={field.value.includes(base.id)}
                    onCheckedChange={(isOn) => toggle(base.id, isOn === true)}
                    disabled={!mayEdit}
                  />
                </Field>
              ))}
            </div>
          </Card>
          {mayEdit ? (
            <FormBar isDirty={isDirty} isSaving={isSaving} onDiscard={() => form.reset()}>
              <ApiCallButton operation={setAgentKnowledgeBases} params={{ agentId }} body={pendingBody} />
            </FormBar>
          ) : null}
        </form>
        {mayEdit ? <DocumentsCard agentId={agentId} /> : null}
      </div>
      <KnowledgeSearch
        agentId={agentId}
        title="What this agent would find"
        description="Ask as a caller would. These chunks are what the agent answers from, with what is attached now."
      />
    </div>
  );
}

/** Makes a knowledge base that this agent answers from. */
function NewBaseButton({ agentId, variant }: { agentId: string; variant: 'primary' | 'secondary' }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const attach = useMutation({
    mutationFn: (baseId: string) =>
      callOperation(
        setKnowledgeBaseAgents,
        { params: { id: baseId }, body: { agentIds: [agentId], base: { agentIds: [] } } },
        { workspaceId },
      ),
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: knowledgeQueries.root(workspaceId) });
      void queryClient.invalidateQueries({ queryKey: [...agentQueries.root(workspaceId), 'list'] });
    },
  });
  return (
    <KnowledgeBaseDialog
      trigger={<NewButton variant={variant}>New knowledge base</NewButton>}
      onCreated={({ id }) => attach.mutate(id)}
    />
  );
}

/** Uploads into what the agent answers from. */
function DocumentsCard({ agentId }: { agentId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data: attached } = useSuspenseQuery(knowledgeQueries.ofAgent(workspaceId, agentId));
  const [chosenId, setChosenId] = useState('');
  const target = attached.find(({ id }) => id === chosenId) ?? attached[0];
  return (
    <Card
      title="Add documents"
      description={
        target
          ? 'The agent answers from them as soon as they are indexed.'
          : 'The agent answers from no knowledge base. Attach one above, or make a new one.'
      }
    >
      {target ? (
        <div className="flex flex-col gap-4">
          <div className="flex flex-wrap items-end justify-between gap-3">
            <Field label="Into" className="min-w-0 flex-1 basis-60">
              <Select
                options={attached.map(({ id, name }) => ({ value: id, label: name }))}
                value={target.id}
                onValueChange={setChosenId}
              />
            </Field>
            <Link
              href={workspacePath(workspaceId, `knowledge/${encodeURIComponent(target.id)}`)}
              className={buttonClasses({ variant: 'secondary' })}
            >
              Show its documents
            </Link>
          </div>
          <UploadZone knowledgeBaseId={target.id} />
        </div>
      ) : null}
    </Card>
  );
}

function NoKnowledge({ agentId }: { agentId: string }) {
  const mayEdit = useMayEdit();
  return (
    <EmptyState
      icon={<BookOpen />}
      title="No knowledge bases yet"
      description="Put price lists, opening hours and answers to common questions into a knowledge base, and the agent looks them up during a call."
      actions={mayEdit ? <NewBaseButton agentId={agentId} variant="primary" /> : null}
    />
  );
}
