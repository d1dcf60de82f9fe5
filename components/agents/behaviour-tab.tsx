'use client';

import { ApiCallButton } from '#components/forms/api-call.tsx';
import { FormBar, FormFailure } from '#components/forms/form-bar.tsx';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { useDraft } from '#components/versions/use-draft.ts';
import { useToast } from '#components/ui/toast.tsx';
import { type AgentView, putAgentSettings } from '#lib/features/agents/contract.ts';
import { updateAgent } from '#lib/features/agents/dashboard/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { behaviourOf, behaviourSchema, type BehaviourValues, splitBehaviour } from './behaviour-schema.ts';
import { CallCards } from './behaviour-call-cards.tsx';
import { ReachCards } from './behaviour-reach-cards.tsx';
import { useAgent, useKeepAgent, useMayEdit } from './use-agent.ts';

/** Every setting of the agent that is not a text for its prompt. */
export function BehaviourTab({ agentId }: { agentId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { agent } = useAgent(agentId);
  const toast = useToast();
  const keep = useKeepAgent();
  const mayEdit = useMayEdit();
  const params = { agentId };

  const draft = useDraft(agentId);

  /** Whether it is active is no part of a draft. */
  const saveDraft = async (values: BehaviourValues, base: BehaviourValues): Promise<null> => {
    const { identity, settings } = splitBehaviour(values);
    const before = splitBehaviour(base);
    const { isActive, ...texts } = identity;
    if (isActive !== undefined)
      await callOperation(updateAgent, { params, body: { isActive } }, { workspaceId });
    if (Object.keys(settings).length > 0)
      await draft.saveDraft({ kind: 'settings', body: settings }, before.settings);
    if (Object.keys(texts).length > 0)
      await draft.saveDraft(
        { kind: 'agent', body: texts },
        { name: before.identity.name, description: before.identity.description },
      );
    return null;
  };
  const save = async (values: BehaviourValues, base: BehaviourValues): Promise<AgentView | null> => {
    const { identity, settings } = splitBehaviour(values);
    const before = splitBehaviour(base);
    let saved = agent;
    if (draft.isDraft) return saveDraft(values, base);
    if (Object.keys(settings).length > 0) {
      const body = { ...settings, base: before.settings };
      saved = (await callOperation(putAgentSettings, { params, body }, { workspaceId })).data;
    }
    if (Object.keys(identity).length > 0) {
      const body = { ...identity, base: before.identity };
      saved = (await callOperation(updateAgent, { params, body }, { workspaceId })).data;
    }
    return saved;
  };
  const { form, submit, submitDraft, isSaving, isDirty, pendingBody } = useOperationForm({
    schema: behaviourSchema,
    values: behaviourOf(agent),
    onlyChanged: true,
    save,
    saveDraft,
    onSaved: (saved) => {
      if (saved) keep(saved);
      toast({ title: 'Settings saved' });
    },
  });
  const apiBody = () => splitBehaviour(isDirty ? pendingBody() : behaviourOf(agent)).settings;
  const exceptIdentity = () =>
    isDirty && Object.keys(splitBehaviour(pendingBody()).identity).length > 0
      ? 'Name, description and whether the agent is active are changed in the dashboard only.'
      : undefined;
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex max-w-4xl flex-col gap-4">
      <FormFailure message={form.formState.errors.root?.server?.message} />
      <CallCards form={form} isReadOnly={!mayEdit} />
      <ReachCards form={form} isReadOnly={!mayEdit} />
      {mayEdit ? (
        <FormBar
          draft={{ isDraft: draft.isDraft, onSave: submitDraft }}
          isDirty={isDirty}
          isSaving={isSaving}
          onDiscard={() => form.reset()}
        >
          <ApiCallButton
            operation={putAgentSettings}
            params={params}
            body={apiBody}
            except={exceptIdentity}
          />
        </FormBar>
      ) : null}
    </form>
  );
}
