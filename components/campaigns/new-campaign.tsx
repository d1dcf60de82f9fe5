'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PhoneOff } from 'lucide-react';
import { type Caller, callerOptions, useCallers } from '#components/calls/use-callers.ts';
import { callsAtOnce, useLines } from '#components/calls/use-lines.ts';
import { describeFailure } from '#components/forms/server-problems.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { NotAllowed } from '#components/layout/not-allowed.tsx';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Card } from '#components/ui/card.tsx';
import { EmptyState, Notice } from '#components/ui/empty-state.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { Select } from '#components/ui/select.tsx';
import type { InspectedFile } from '#lib/features/campaigns/dashboard/contract.ts';
import { CAMPAIGN_LIMITS } from '#lib/features/campaigns/rules.ts';
import { promptQueries } from '#lib/features/prompts/queries.ts';
import { ColumnsStep } from './columns-step.tsx';
import { FileChoice } from './file-choice.tsx';
import { inspectFile } from './send-list.ts';
import { Steps } from './steps.tsx';

/** From a file to a campaign whose list was checked: which file, and what its columns are. */
export function NewCampaign() {
  const { id: workspaceId, role } = useWorkspace();
  const { callers, isPending, error } = useCallers();
  const trail = [{ label: 'Campaigns', href: workspacePath(workspaceId, 'campaigns') }];
  const usable = callers.filter((caller) => caller.isActive);
  return (
    <>
      <PageHeader trail={trail} title="New campaign" />
      {role === 'viewer' ? (
        <NotAllowed what="Making a campaign" needs="member" />
      ) : error ? (
        <Notice tone="danger">{describeFailure(error)}</Notice>
      ) : isPending ? null : usable.length === 0 ? (
        <EmptyState
          icon={<PhoneOff />}
          title="No agent can call yet"
          description="Give an active agent a number under Settings, Numbers; its campaigns call from there."
        />
      ) : (
        <NewCampaignForm callers={usable} />
      )}
    </>
  );
}

function NewCampaignForm({ callers }: { callers: readonly Caller[] }) {
  const { id: workspaceId } = useWorkspace();
  const [name, setName] = useState('');
  const [from, setFrom] = useState(callers[0]?.number ?? '');
  const [promptId, setPromptId] = useState<string | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const caller = callers.find((each) => each.number === from);
  const prompts = useQuery(promptQueries.list(workspaceId, caller?.agentId ?? ''));
  const prompt = prompts.data?.find((each) => each.id === promptId) ?? prompts.data?.[0];
  const inspect = useMutation({
    mutationFn: (given: { file: File; header?: 'yes' | 'no' }) =>
      inspectFile(workspaceId, given.file, { from, header: given.header }),
  });
  const choose = (chosen: File) => {
    setFile(chosen);
    // The name of the file is a good one until somebody has a better.
    if (name.trim() === '') setName(chosen.name.replace(/\.\w+$/, '').slice(0, CAMPAIGN_LIMITS.name));
    inspect.mutate({ file: chosen });
  };
  const inspected: InspectedFile | undefined = inspect.data;
  return (
    <div className="flex flex-col gap-5">
      <Steps current={inspected ? 1 : 0} />
      <Card title="What it is about">
        <div className="flex flex-col gap-5">
          <NameField value={name} onChange={setName} />
          <div className="grid gap-5 sm:grid-cols-2">
            <CallFromField
              callers={callers}
              value={from}
              onChange={(number) => {
                setFrom(number);
                setPromptId(null);
              }}
            />
            <PromptField
              prompts={prompts.data}
              isPending={prompts.isPending}
              value={prompt?.id ?? ''}
              onChange={setPromptId}
            />
          </div>
          {prompts.error ? <Notice tone="danger">{describeFailure(prompts.error)}</Notice> : null}
          {prompts.data?.length === 0 ? <NoPrompt /> : null}
          {caller?.refusal ? <Notice tone="warning">{caller.refusal}</Notice> : null}
        </div>
      </Card>
      <FileChoice file={file} isBusy={inspect.isPending} isDisabled={prompt === undefined} onFile={choose} />
      {inspect.error ? (
        <Notice tone="danger" title="The file cannot be used">
          {describeFailure(inspect.error)}
        </Notice>
      ) : null}
      {file && inspected && prompt && caller ? (
        <ColumnsStep
          // Another file or another prompt is another guess at what the columns are.
          key={`${file.name} ${file.lastModified} ${inspected.hasHeader} ${prompt.id}`}
          file={file}
          inspected={inspected}
          chosen={{ name, from, outboundPromptId: prompt.id, agentId: caller.agentId }}
          onHeader={(hasHeader) => inspect.mutate({ file, header: hasHeader ? 'yes' : 'no' })}
        />
      ) : null}
    </div>
  );
}

type ChoiceProps = { value: string; onChange: (value: string) => void };

function NameField({ value, onChange }: ChoiceProps) {
  return (
    <Field label="Name" description="For you and your colleagues; nobody hears it." isRequired>
      <Input
        value={value}
        maxLength={CAMPAIGN_LIMITS.name}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

function CallFromField({ callers, value, onChange }: ChoiceProps & { callers: readonly Caller[] }) {
  const atOnce = callsAtOnce(useLines(value));
  return (
    <Field
      label="Call from"
      description={['The number decides which agent talks.', atOnce].filter(Boolean).join(' ')}
      isRequired
    >
      <Select options={callerOptions(callers)} value={value} onValueChange={onChange} />
    </Field>
  );
}

type PromptFieldProps = ChoiceProps & {
  prompts: readonly { id: string; title: string }[] | undefined;
  isPending: boolean;
};

function PromptField({ prompts, isPending, value, onChange }: PromptFieldProps) {
  return (
    <Field label="Prompt" description="What the calls are about." isRequired>
      <Select
        options={(prompts ?? []).map((each) => ({ value: each.id, label: each.title }))}
        value={value}
        onValueChange={onChange}
        disabled={isPending || prompts?.length === 0}
        placeholder={isPending ? 'Loading…' : 'Choose…'}
      />
    </Field>
  );
}

function NoPrompt() {
  return (
    <Notice tone="warning">
      This agent has no outbound prompt yet. Add one under Agents before it can call anybody.
    </Notice>
  );
}
