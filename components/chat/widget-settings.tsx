'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useController } from 'react-hook-form';
import { ApiCallButton } from '#components/forms/api-call.tsx';
import { FormBar, FormFailure } from '#components/forms/form-bar.tsx';
import { SwitchField, TextField } from '#components/forms/form-fields.tsx';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useMayManage } from '#components/layout/use-may-manage.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Card } from '#components/ui/card.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input, Textarea } from '#components/ui/input.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { chatQueries } from '#lib/features/chats/queries.ts';
import {
  type ChatWidget,
  DEFAULT_COLOR,
  putChatWidget,
  widgetSettings,
} from '#lib/features/chats/widget/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { WidgetPreview } from './widget-preview.tsx';

/** The widget of an agent's website: who may show it, how it looks, and the tag for the pages. */
export function WidgetSettings({ agentId }: { agentId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { data: widget, isError } = useQuery(chatQueries.widget(workspaceId, agentId));
  if (isError) return <Notice tone="danger">The settings of the website widget could not be loaded.</Notice>;
  return widget ? <WidgetForm widget={widget} /> : <Skeleton className="h-64" />;
}

function WidgetForm({ widget }: { widget: ChatWidget }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const mayEdit = useMayManage();
  const params = { agentId: widget.agentId };
  const { isEnabled, allowedOrigins, title, color, greeting, sendsWebhook } = widget;
  const { form, submit, isSaving, isDirty, pendingBody } = useOperationForm({
    schema: widgetSettings,
    values: { isEnabled, allowedOrigins, title, color, greeting, sendsWebhook },
    save: (body, base) => callOperation(putChatWidget, { params, body: { ...body, base } }, { workspaceId }),
    onSaved: ({ data }) => {
      queryClient.setQueryData(chatQueries.widget(workspaceId, data.agentId).queryKey, data);
      toast({ title: 'Website widget saved' });
    },
  });
  const shown = form.watch();
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex max-w-4xl flex-col gap-4">
      <FormFailure message={form.formState.errors.root?.server?.message} />
      <Card
        title="Website widget"
        description="The chat with this agent on your website, for everybody who visits it."
      >
        <WidgetFields form={form} isDisabled={!mayEdit} scriptTag={widget.scriptTag} />
      </Card>
      <Card title="Preview" description="Nothing is sent from here.">
        <WidgetPreview
          title={shown.title ?? null}
          color={shown.color ?? DEFAULT_COLOR}
          greeting={shown.greeting ?? null}
        />
      </Card>
      {mayEdit ? (
        <FormBar isDirty={isDirty} isSaving={isSaving} onDiscard={() => form.reset()}>
          <ApiCallButton operation={putChatWidget} params={params} body={pendingBody} />
        </FormBar>
      ) : null}
    </form>
  );
}

type Form = ReturnType<typeof useOperationForm<typeof widgetSettings, unknown>>['form'];
type FormPartProps = { form: Form; isDisabled: boolean };

function WidgetFields({ scriptTag, ...shared }: FormPartProps & Pick<ChatWidget, 'scriptTag'>) {
  const { isDisabled } = shared;
  return (
    <div className="flex flex-col gap-5">
      {isDisabled ? <Notice>Admins and owners change these settings.</Notice> : null}
      <SwitchField
        {...shared}
        name="isEnabled"
        label="Show the widget"
        description="Off: it disappears from every page, and chats that run end at once."
      />
      <OriginsField {...shared} />
      <div className="grid gap-5 sm:grid-cols-[minmax(0,1fr)_8rem]">
        <TextField {...shared} name="title" label="Title" isNullable placeholder="Chat with us" />
        <ColorField {...shared} />
      </div>
      <TextField
        {...shared}
        name="greeting"
        label="Greeting"
        isNullable
        rows={2}
        description="Opens every chat with this agent. Empty: what the chat prompt spells out, or a line made of the names."
      />
      <SwitchField
        {...shared}
        name="sendsWebhook"
        label="Send the webhook for chats"
        description="Also needs the agent's post-conversation webhook, under Behaviour. Tests send none."
      />
      {scriptTag ? (
        <Field label="Script tag" description="Goes into the pages of the website, best before </body>.">
          <CodeBlock code={scriptTag} label="script tag" isWrapped />
        </Field>
      ) : (
        <p className="text-sm text-ink-subtle">Save once, and the script tag for your pages is here.</p>
      )}
    </div>
  );
}

/** One origin a line; the problem of any of them is shown below all. */
function OriginsField({ form, isDisabled }: FormPartProps) {
  const { field } = useController({ control: form.control, name: 'allowedOrigins' });
  const { ref, name, value = [], onChange, onBlur } = field;
  const { error } = form.getFieldState('allowedOrigins', form.formState);
  const problem = Array.isArray(error) ? error.find((each) => each?.message) : error;
  return (
    <Field
      label="Allowed websites"
      description="One address a line: https://www.example.com, or https://*.example.com for all subdomains. A page of it will do."
      error={problem?.message ? `Each ${problem.message}.` : undefined}
    >
      <Textarea
        ref={ref}
        name={name}
        rows={3}
        className="resize-y font-mono"
        autoComplete="off"
        spellCheck={false}
        disabled={isDisabled}
        value={value.join('\n')}
        onChange={(event) => onChange(event.target.value === '' ? [] : event.target.value.split('\n'))}
        onBlur={() => {
          onChange(value.map((line) => line.trim()).filter((line) => line !== ''));
          onBlur();
        }}
      />
    </Field>
  );
}

function ColorField({ form, isDisabled }: FormPartProps) {
  const { field } = useController({ control: form.control, name: 'color' });
  const { ref, name, value, onChange, onBlur } = field;
  return (
    <Field label="Colour">
      <Input
        type="color"
        ref={ref}
        name={name}
        className="w-full p-1"
        disabled={isDisabled}
        value={value ?? DEFAULT_COLOR}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      />
    </Field>
  );
}
