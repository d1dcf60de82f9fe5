'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { PhoneIncoming } from 'lucide-react';
import { useForm, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { showProblems } from '#components/forms/server-problems.ts';
import { messageOf } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { Select } from '#components/ui/select.tsx';
import { simulateInboundCall } from '#lib/features/calls/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { reasonOf } from '#lib/http/reasons.ts';
import { PersonField } from './person-field.tsx';
import { asksQuestion, QUESTION_VARIABLE, simulatedNumber } from './simulated-people.ts';
import { callerOptions, type Caller } from './use-callers.ts';

type InboundBody = z.output<typeof simulateInboundCall.body>;
type InboundCallFormProps = {
  callers: readonly Caller[];
  /** The number that is called at first; undefined: none is chosen yet. */
  to: string | undefined;
  onPlaced: (callId: string) => void;
};

function useInboundCall(firstNumber: string | undefined, onPlaced: (callId: string) => void) {
  const workspace = useWorkspace();
  const form = useForm<z.input<typeof simulateInboundCall.body>, unknown, InboundBody>({
    defaultValues: {
      to: firstNumber ?? '',
      from: simulatedNumber('00'),
    },
    mode: 'onTouched',
    resolver: zodResolver(simulateInboundCall.body, { error: reasonOf }),
  });
  const place = useMutation({
    mutationFn: (body: InboundBody) =>
      callOperation(simulateInboundCall, { body }, { workspaceId: workspace.id }),
    onSuccess: (answer) => onPlaced(answer.data.callId),
    onError: (error) => showProblems(form, error, new Set(['from', 'to', 'variables'])),
  });
  return { form, place };
}

/** A simulated person calls one of the agents: the inbound prompt and greeting can be tried without a phone. */
export function InboundCallForm({ callers, to: firstNumber, onPlaced }: InboundCallFormProps) {
  const { form, place } = useInboundCall(firstNumber, onPlaced);
  const { to, from = '', variables } = useWatch({ control: form.control });
  const { errors } = form.formState;
  const refusal = callers.find((caller) => caller.number === to)?.refusal;
  const canPlace = to && !refusal;
  return (
    <form
      noValidate
      onSubmit={(event) => void form.handleSubmit((body) => place.mutate(body))(event)}
      className="flex flex-col gap-5"
    >
      {errors.root?.server?.message ? <Notice tone="danger">{errors.root.server.message}</Notice> : null}
      <Field
        label="Number that is called"
        description="Its agent answers with the inbound prompt."
        error={messageOf(errors.to)}
        isRequired
      >
        <Select
          options={callerOptions(callers)}
          value={to ?? ''}
          onValueChange={(number) => form.setValue('to', number, { shouldValidate: true })}
        />
      </Field>
      {refusal ? (
        <Notice tone="warning" title="This agent's calls are refused">
          {refusal}
        </Notice>
      ) : null}
      <PersonField
        label="Person who calls"
        value={from}
        isSimulated
        error={messageOf(errors.from)}
        onBlur={() => void form.trigger('from')}
        onChange={(number) => form.setValue('from', number, { shouldValidate: errors.from !== undefined })}
      />
      {asksQuestion(from) ? (
        <Field label="What they ask">
          <Input
            value={variables?.[QUESTION_VARIABLE] ?? ''}
            autoComplete="off"
            placeholder="When are you open on Saturdays?"
            onChange={(event) => form.setValue('variables', { [QUESTION_VARIABLE]: event.target.value })}
          />
        </Field>
      ) : null}
      <div>
        <Button type="submit" variant="primary" size="lg" isBusy={place.isPending} disabled={!canPlace}>
          <PhoneIncoming aria-hidden="true" />
          Simulate the call
        </Button>
      </div>
    </form>
  );
}
