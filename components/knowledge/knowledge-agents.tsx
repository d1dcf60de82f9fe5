'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useController } from 'react-hook-form';
import { FormBar, FormFailure } from '#components/forms/form-bar.tsx';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Card } from '#components/ui/card.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { Field } from '#components/ui/field.tsx';
import { Link } from '#components/ui/link.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { setKnowledgeBaseAgents } from '#lib/features/knowledge/dashboard/contract.ts';
import { knowledgeQueries } from '#lib/features/knowledge/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import type { KnowledgeOverview } from './embedding-state.tsx';

/** Which agents answer from this knowledge base. */
export function KnowledgeAgents({ base }: { base: KnowledgeOverview }) {
  const { id: workspaceId, role } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const mayEdit = role !== 'viewer';
  const { form, submit, isSaving, isDirty } = useOperationForm({
    schema: setKnowledgeBaseAgents.body,
    values: {
      agentIds: base.agents
        .filter((agent) => agent.isAttached)
        .map((agent) => agent.id)
        .toSorted(),
    },
    save: (body, before) =>
      callOperation(
        setKnowledgeBaseAgents,
        { params: { id: base.id }, body: { ...body, base: before } },
        { workspaceId },
      ),
    onSaved: () => {
      void queryClient.invalidateQueries({ queryKey: knowledgeQueries.root(workspaceId) });
      void queryClient.invalidateQueries({ queryKey: [...agentQueries.root(workspaceId), 'list'] });
      toast({ title: 'Agents saved' });
    },
  });
  const { field } = useController({ control: form.control, name: 'agentIds' });
  const toggle = (id: string, isOn: boolean) =>
    field.onChange((isOn ? [...field.value, id] : field.value.filter((other) => other !== id)).toSorted());
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
      <FormFailure message={form.formState.errors.root?.server?.message} />
      <Card title="Agents" description="Those that answer from this knowledge base.">
        {base.agents.length === 0 ? (
          <p className="text-sm text-ink-muted">
            There is no agent yet.{' '}
            <Link href={workspacePath(workspaceId, 'agents')} className="text-accent-text underline">
              Create one
            </Link>
            .
          </p>
        ) : (
          <div className="flex flex-col gap-3">
            {base.agents.map((agent) => (
              <Field key={agent.id} layout="check" label={agent.name}>
                <Checkbox
                  checked={field.value.includes(agent.id)}
                  onCheckedChange={(isOn) => toggle(agent.id, isOn === true)}
                  disabled={!mayEdit}
                />
              </Field>
            ))}
          </div>
        )}
      </Card>
      {mayEdit && isDirty ? <FormBar isDirty isSaving={isSaving} onDiscard={() => form.reset()} /> : null}
    </form>
  );
}
