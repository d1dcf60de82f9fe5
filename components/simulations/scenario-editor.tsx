'use client';

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { ArrowLeft, Play, Trash2 } from 'lucide-react';
import { useMayEdit } from '#components/agents/use-agent.ts';
import { FormBar, FormFailure } from '#components/forms/form-bar.tsx';
import { useDeletion } from '#components/forms/use-deletion.ts';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { Link } from '#components/ui/link.tsx';
import { useToast } from '#components/ui/toast.tsx';
import {
  createScenario,
  deleteScenario,
  updateScenario,
} from '#lib/features/simulations/dashboard/contract.ts';
import { simulationQueries } from '#lib/features/simulations/queries.ts';
import { type Scenario, scenarioBody } from '#lib/features/simulations/scenarios/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { CriteriaCard } from './criteria-card.tsx';
import { CallCard, CallerCard, SourceCard, ToolsCard } from './scenario-cards.tsx';
import { bodyOf, formOf, NEW_SCENARIO, scenarioForm, type ScenarioForm } from './scenario-form.ts';
import { useSimulationsPath, useStartSimulation } from './use-start.ts';

export function NewScenario({ agentId }: { agentId: string }) {
  const { id: workspaceId } = useWorkspace();
  const path = useSimulationsPath(agentId);
  const router = useRouter();
  return (
    <Editor
      agentId={agentId}
      title="New scenario"
      values={NEW_SCENARIO}
      save={(form) =>
        callOperation(createScenario, { params: { agentId }, body: bodyOf(form) }, { workspaceId })
      }
      onSaved={({ id }) => router.replace(path(`scenarios/${encodeURIComponent(id)}`))}
    />
  );
}

export function EditScenario({ agentId, scenarioId }: { agentId: string; scenarioId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data: scenarios } = useSuspenseQuery(simulationQueries.scenarios(workspaceId, agentId));
  const scenario = scenarios.find(({ id }) => id === scenarioId);
  if (!scenario) return null;
  const params = { agentId, scenarioId };
  return (
    <Editor
      agentId={agentId}
      title={scenario.name}
      scenario={scenario}
      values={formOf(scenario)}
      fromService={(current) => {
        const { name = scenario.name, content = scenario.content } = scenarioBody.partial().parse(current);
        return formOf({ ...scenario, name, content });
      }}
      save={(form, before) => {
        const unlinked = form.goesWithCall ? {} : { sourceCallId: null };
        const body = { ...bodyOf(form), ...unlinked, base: { ...bodyOf(before) } };
        return callOperation(updateScenario, { params, body }, { workspaceId });
      }}
    />
  );
}

type EditorProps = {
  agentId: string;
  title: string;
  scenario?: Scenario;
  values: ScenarioForm;
  save: (form: ScenarioForm, before: ScenarioForm) => Promise<{ data: Scenario }>;
  fromService?: (current: Record<string, unknown>) => Partial<ScenarioForm>;
  onSaved?: (scenario: Scenario) => void;
};

function Editor({ agentId, title, scenario, values, save, fromService, onSaved }: EditorProps) {
  const { id: workspaceId } = useWorkspace();
  const path = useSimulationsPath(agentId);
  const mayEdit = useMayEdit();
  const queryClient = useQueryClient();
  const toast = useToast();
  const { form, submit, isSaving, isDirty } = useOperationForm({
    schema: scenarioForm,
    values,
    save,
    ...(fromService ? { fromService } : {}),
    onSaved: ({ data }) => {
      toast({ title: 'Scenario saved' });
      const { queryKey } = simulationQueries.scenarios(workspaceId, agentId);
      void queryClient.invalidateQueries({ queryKey }).then(() => onSaved?.(data));
    },
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="flex min-w-0 flex-col gap-1">
          <Link
            href={path()}
            className="flex items-center gap-1 self-start rounded-sm text-sm text-ink-muted hover:text-ink"
          >
            <ArrowLeft aria-hidden="true" className="size-3.5" />
            Simulations
          </Link>
          <h2 className="text-lg font-semibold wrap-anywhere">{title}</h2>
        </div>
        {scenario && mayEdit ? (
          <ScenarioActions agentId={agentId} scenario={scenario} isUnsaved={isDirty} />
        ) : null}
      </div>
      <FormFailure message={form.formState.errors.root?.server?.message} />
      <fieldset disabled={!mayEdit} className="flex min-w-0 flex-col gap-4">
        {scenario && scenario.sourceCallId !== null ? (
          <SourceCard form={form} callId={scenario.sourceCallId} />
        ) : null}
        <CallCard form={form} agentId={agentId} />
        <CallerCard form={form} />
        <CriteriaCard form={form} />
        <ToolsCard form={form} />
      </fieldset>
      {mayEdit ? (
        <FormBar
          isDirty={isDirty}
          isSaving={isSaving}
          onDiscard={() => form.reset()}
          saveLabel={scenario ? 'Save changes' : 'Make scenario'}
          idleText={scenario ? 'Everything is saved' : 'Nothing is filled in yet'}
        />
      ) : null}
    </form>
  );
}

function ScenarioActions({
  agentId,
  scenario,
  isUnsaved,
}: {
  agentId: string;
  scenario: Scenario;
  isUnsaved: boolean;
}) {
  const { id: workspaceId } = useWorkspace();
  const path = useSimulationsPath(agentId);
  const start = useStartSimulation(agentId);
  const params = { agentId, scenarioId: scenario.id };
  const deletion = useDeletion({
    name: scenario.name,
    remove: () => callOperation(deleteScenario, { params }, { workspaceId }),
    list: path(),
    listKey: simulationQueries.root(workspaceId, agentId),
  });
  return (
    <span className="flex flex-wrap gap-2">
      <ConfirmDialog
        title={`Delete ${scenario.name}?`}
        description="What was run with it stays."
        confirmLabel="Delete scenario"
        trigger={
          <Button variant="ghost">
            <Trash2 aria-hidden="true" />
            Delete
          </Button>
        }
        isBusy={deletion.isPending}
        onConfirm={() => deletion.mutate()}
      />
      <Button
        isBusy={start.isPending}
        disabled={isUnsaved}
        onClick={() => start.mutate({ scenarios: [scenario.id] })}
      >
        <Play aria-hidden="true" />
        {isUnsaved ? 'Save to run' : 'Run'}
      </Button>
    </span>
  );
}
