'use client';

import { useId, useState } from 'react';
import { Eye, EyeOff } from 'lucide-react';
import { useForm, type UseFormReturn } from 'react-hook-form';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { signIn } from './session-requests.ts';

type Credentials = { email: string; password: string };

type Props = {
  /** Who signs in again: nobody else can, over a page of theirs. */
  email?: string;
  onSignedIn: () => void;
};

export function SignInForm({ email: knownEmail = '', onSignedIn }: Props) {
  const form = useForm<Credentials>({ defaultValues: { email: knownEmail, password: '' } });
  const [failure, setFailure] = useState<string | null>(null);
  const [isLeaving, setIsLeaving] = useState(false);
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async ({ email, password }) => {
    setFailure(null);
    const outcome = await signIn(email, password);
    if (outcome.ok) {
      setIsLeaving(true);
      onSignedIn();
      return;
    }
    setFailure(outcome.message);
    if (outcome.reason === 'wrong') form.setFocus('password', { shouldSelect: true });
  });

  return (
    // `method` keeps the password out of the address should the form be sent before the script has started.
    <form method="post" noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {failure ? <Notice tone="danger">{failure}</Notice> : null}
      <Field label="E-mail address" error={errors.email?.message}>
        <Input
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          readOnly={knownEmail !== ''}
          className="h-10"
          {...form.register('email', {
            required: 'Enter your e-mail address.',
            pattern: { value: /^\S+@\S+$/, message: 'This is not an e-mail address.' },
          })}
        />
      </Field>
      <PasswordField form={form} />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        isBusy={isSubmitting || isLeaving}
        className="mt-1 w-full"
      >
        Sign in
      </Button>
    </form>
  );
}

function PasswordField({ form }: { form: UseFormReturn<Credentials> }) {
  const [isShown, setIsShown] = useState(false);
  const passwordId = useId();
  const { errors } = form.formState;
  return (
    <Field label="Password" error={errors.password?.message} controlId={passwordId}>
      <div className="relative">
        <Input
          type={isShown ? 'text' : 'password'}
          autoComplete="current-password"
          className="h-10 pr-10"
          {...form.register('password', { required: 'Enter your password.' })}
        />
        <IconButton
          label={isShown ? 'Hide password' : 'Show password'}
          aria-controls={passwordId}
          icon={isShown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
          onClick={() => setIsShown(!isShown)}
          className="absolute top-1 right-1 pointer-coarse:top-0 pointer-coarse:right-0"
        />
      </div>
    </Field>
  );
}
