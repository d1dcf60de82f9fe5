'use client';

import { useQuery } from '@tanstack/react-query';
import { useController, useWatch } from 'react-hook-form';
import { SwitchField, TextField } from '#components/forms/form-fields.tsx';
import { maxCharacters } from '#components/forms/text-limits.ts';
import { messageOf } from '#components/forms/use-operation-form.ts';
import { integrationsPath, webhooksPath } from '#components/layout/navigation.ts';
import { useMayManage } from '#components/layout/use-may-manage.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Card } from '#components/ui/card.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { promptQueries } from '#lib/features/prompts/queries.ts';
import { behaviourSchema } from './behaviour-schema.ts';
import type { BehaviourForm } from './behaviour-call-cards.tsx';
import { NameListField } from './name-list-field.tsx';

type Props = { form: BehaviourForm; isReadOnly: boolean };

/** What the agent reaches outside of the conversation: the webhook, tools and integrations. */
export function ReachCards({ form, isReadOnly }: Props) {
  return (
    <>
      <WebhookCard form={form} isReadOnly={isReadOnly} />
      <ToolsCard form={form} isReadOnly={isReadOnly} />
      <IntegrationsCard form={form} isReadOnly={isReadOnly} />
    </>
  );
}

function WebhookCard({ form, isReadOnly }: Props) {
  const { id: workspaceId } = useWorkspace();
  const isOn = useWatch({ control: form.control, name: 'hasPostConversationWebhook' });
  const mayManage = useMayManage();
  const isDisabled = isReadOnly || !mayManage;
  return (
    <Card
      title="Webhook"
      description={
        <>
          Signed with the workspace's secret. See{' '}
          <Link href={webhooksPath(workspaceId)} className="text-accent-text underline">
            Settings, Webhooks
          </Link>
          .
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {mayManage ? null : (
          <Notice>
            Only admins and owners change this: whoever sets the URL receives every transcript of the agent.
          </Notice>
        )}
        <SwitchField
          form={form}
          isDisabled={isDisabled}
          name="hasPostConversationWebhook"
          label="Send the post-conversation webhook"
          description="After each call this agent handles, also when it never connected."
        />
        <TextField
          form={form}
          isDisabled={isDisabled}
          name="postConversationWebhookUrl"
          label="URL of this agent"
          type="url"
          isNullable
          limit={maxCharacters(behaviourSchema, 'postConversationWebhookUrl')}
          placeholder="https://example.com/hooks/calls"
          description={
            isOn
              ? 'Empty: the URL of the workspace.'
              : 'Used once the switch above is on. Empty: the URL of the workspace.'
          }
        />
      </div>
    </Card>
  );
}

function ToolsCard({ form, isReadOnly }: Props) {
  const { id: workspaceId } = useWorkspace();
  const { data: catalog } = useQuery(promptQueries.catalog(workspaceId));
  const { field, fieldState } = useController({ control: form.control, name: 'disabledToolNames' });
  return (
    <Card
      title="Tools"
      description="What the agent may do during a call. Off means that the model is not offered the tool."
    >
      {catalog ? (
        <NameListField
          value={field.value ?? []}
          onChange={field.onChange}
          known={catalog.tools.map((tool) => ({
            id: tool.name,
            label: tool.name,
            description: tool.description,
          }))}
          mode="exclude"
          addLabel="Disable another tool"
          addDescription="By name, for a tool that this workspace does not have yet."
          unknownNote="No tool has this name. It is kept, and takes effect once there is one."
          isReadOnly={isReadOnly}
          error={messageOf(fieldState.error)}
        />
      ) : (
        <Skeleton className="h-32" />
      )}
    </Card>
  );
}

function IntegrationsCard({ form, isReadOnly }: Props) {
  const { id: workspaceId } = useWorkspace();
  const { data: catalog } = useQuery(promptQueries.catalog(workspaceId));
  const { field, fieldState } = useController({ control: form.control, name: 'integrationIds' });
  return (
    <Card
      title="Integrations"
      description={
        <>
          What this agent may use while it talks. They are made in{' '}
          <Link href={integrationsPath(workspaceId)} className="text-accent-text underline">
            Settings, Integrations
          </Link>
          .
        </>
      }
    >
      {catalog ? (
        <NameListField
          value={field.value ?? []}
          onChange={field.onChange}
          known={catalog.integrations}
          mode="include"
          addLabel="Add by id"
          addDescription="An id that does not exist is kept and marked as unknown."
          unknownNote="No integration has this id; it has no effect."
          isReadOnly={isReadOnly}
          error={messageOf(fieldState.error)}
        />
      ) : (
        <Skeleton className="h-16" />
      )}
    </Card>
  );
}
