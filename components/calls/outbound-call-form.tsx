'use client';

import { useEffect, useState } from 'react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { PhoneCall } from 'lucide-react';
import { useForm, useWatch } from 'react-hook-form';
import { showProblems } from '#components/forms/server-problems.ts';
import { messageOf } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Field } from '#components/ui/field.tsx';
import { Select } from '#components/ui/select.tsx';
import {
  type OutboundCallBody,
  outboundCallForm,
  type OutboundCallInput,
  queueOutboundCall,
} from '#lib/features/calls/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { reasonOf } from '#lib/http/reasons.ts';
import type { CallDefaults } from './call-defaults.ts';
import { PersonField } from './person-field.tsx';
import { PromptField, PromptVariables } from './prompt-fields.tsx';
import { asksQuestion, QUESTION_VARIABLE, simulatedNumber } from './simulated-people.ts';
import { callerOptions, type Caller } from './use-callers.ts';

type OutboundCallFormProps = {
  callers: readonly Caller[];
  defaults: CallDefaults;
  /** The body as it stands, for the command beside the form. */
  onBodyChange: (body: OutboundCallInput) => void;
  onPlaced: (callId: string) => void;
};

/** The form's values as they stand, and the call that is placed with them. */
function useOutboundCall({ callers, defaults, onBodyChange, onPlaced }: OutboundCallFormProps) {
  const workspace = useWorkspace();
  const firstCaller = callers.find((caller) => caller.number === defaults.from);
  const form = useForm<OutboundCallInput, unknown, OutboundCallBody>({
    defaultValues: {
      from: firstCaller?.number ?? '',
      to: defaults.to ?? (firstCaller?.carrier === 'simulated' ? simulatedNumber('01') : ''),
      variables: defaults.variables ?? {},
    },
    mode: 'onTouched',
    resolver: zodResolver(outboundCallForm, { error: reasonOf }),
  });
  const { from, to, outboundPromptId } = useWatch({ control: form.control });
  const variables = useWatch({ control: form.control, name: 'variables' }) ?? {};
  const caller = callers.find((each) => each.number === from);
  const place = useMutation({
    mutationFn: (body: OutboundCallInput) =>
      callOperation(queueOutboundCall, { body }, { workspaceId: workspace.id }),
    onSuccess: (answer) => onPlaced(answer.data.conversationId),
    onError: (error) => showProblems(form, error, new Set(['from', 'to', 'outboundPromptId', 'variables'])),
  });
  const setVariables = (next: Record<string, string>) =>
    form.setValue('variables', next, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });

  const body = bodyToSend({ from: from ?? '', to: to ?? '', outboundPromptId, variables });
  const bodyText = JSON.stringify(body);
  useEffect(() => onBodyChange(JSON.parse(bodyText) as OutboundCallInput), [bodyText, onBodyChange]);
  const setPerson = (number: string) => {
    form.setValue('to', number, {
      shouldValidate: form.formState.isSubmitted || form.formState.errors.to !== undefined,
    });
    if (asksQuestion(number) && !(QUESTION_VARIABLE in variables))
      setVariables({ ...variables, [QUESTION_VARIABLE]: '' });
  };
  return { form, place, caller, to, outboundPromptId, variables, setVariables, setPerson };
}

export function OutboundCallForm(props: OutboundCallFormProps) {
  const { callers, defaults } = props;
  const { form, place, caller, to, outboundPromptId, variables, setVariables, setPerson } =
    useOutboundCall(props);
  const { errors } = form.formState;
  const [isRefused, setIsRefused] = useState(false);
  return (
    <form
      noValidate
      onSubmit={(event) => void form.handleSubmit((valid) => place.mutate(bodyToSend(valid)))(event)}
      className="flex flex-col gap-5"
    >
      {errors.root?.server?.message ? <Notice tone="danger">{errors.root.server.message}</Notice> : null}
      {defaults.problem ? <Notice tone="warning">{defaults.problem}</Notice> : null}
      <CallerField
        callers={callers}
        caller={caller}
        error={messageOf(errors.from)}
        onChange={(number) => {
          form.setValue('from', number, { shouldValidate: true });
          form.resetField('outboundPromptId');
        }}
      />
      {caller ? (
        <PromptField
          key={caller.agentId}
          agentId={caller.agentId}
          wantedId={defaults.promptId}
          value={outboundPromptId}
          error={messageOf(errors.outboundPromptId)}
          onChange={(id) => form.setValue('outboundPromptId', id, { shouldValidate: true })}
        />
      ) : null}
      <PersonField
        label="Call to"
        value={to ?? ''}
        isSimulated={caller?.carrier === 'simulated'}
        error={messageOf(errors.to)}
        onBlur={() => void form.trigger('to')}
        onChange={setPerson}
      />
      {caller && outboundPromptId ? (
        <PromptVariables
          agentId={caller.agentId}
          promptId={outboundPromptId}
          values={variables}
          onChange={setVariables}
          error={variablesError(errors.variables)}
          onRefusal={setIsRefused}
        />
      ) : null}
      <PlaceButton isBusy={place.isPending} isDisabled={!caller || isRefused} />
    </form>
  );
}

function PlaceButton({ isBusy, isDisabled }: { isBusy: boolean; isDisabled: boolean }) {
  return (
    <div>
      <Button type="submit" variant="primary" size="lg" isBusy={isBusy} disabled={isDisabled}>
        <PhoneCall aria-hidden="true" />
        Place call
      </Button>
    </div>
  );
}

/** What is wrong with the variables as a whole, else with one of them: `variables.name: is needed …`. */
function variablesError(error: object | undefined): string | undefined {
  const own = error as { root?: { message?: string }; message?: string } | undefined;
  const whole = messageOf(own?.root) ?? (typeof own?.message === 'string' ? messageOf(own) : undefined);
  if (whole !== undefined) return whole;
  const [name, one] = Object.entries(error ?? {}).find(([, each]) => each?.message) ?? [];
  return name === undefined
    ? undefined
    : `${name} ${one.message.charAt(0).toLowerCase()}${one.message.slice(1)}`;
}

/** Without an empty `variables`, which would only make the command longer. */
function bodyToSend(body: OutboundCallInput): OutboundCallInput {
  const { from, to, outboundPromptId, variables } = body;
  return {
    from,
    to,
    ...(outboundPromptId ? { outboundPromptId } : {}),
    ...(variables && Object.keys(variables).length > 0 ? { variables } : {}),
  };
}

type CallerFieldProps = {
  callers: readonly Caller[];
  caller: Caller | undefined;
  error: string | undefined;
  onChange: (number: string) => void;
};

function CallerField({ callers, caller, error, onChange }: CallerFieldProps) {
  return (
    <Field label="Call from" description="The number decides which agent talks." error={error} isRequired>
      <Select options={callerOptions(callers)} value={caller?.number ?? ''} onValueChange={onChange} />
    </Field>
  );
}
