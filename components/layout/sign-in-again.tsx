'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Dialog } from '#components/ui/dialog.tsx';
import { Link } from '#components/ui/link.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { session } from '#lib/http/client.ts';
import { isLeaving } from './session-requests.ts';
import { SignInForm } from './sign-in-form.tsx';

/** The session ended (revoked, or after its 30 days): signs in over the page, which keeps what was written on it. */
export function SignInAgain({ email }: { email: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const queryClient = useQueryClient();
  const toast = useToast();
  useEffect(() => {
    const open = () => setIsOpen(!isLeaving());
    session.addEventListener('signedOut', open);
    return () => session.removeEventListener('signedOut', open);
  }, []);
  const goOn = () => {
    setIsOpen(false);
    void queryClient.invalidateQueries();
    toast({
      title: 'You are signed in again',
      description: 'What you wrote is still here. Save it once more.',
    });
  };
  return (
    <Dialog
      size="sm"
      title="You were signed out"
      description="Sign in to go on. What you wrote on this page stays."
      footer={
        <Link href="/sign-in" className="text-sm font-medium text-accent-text hover:underline">
          Sign in as somebody else
        </Link>
      }
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      keepsOutsideClicks
    >
      <SignInForm email={email} onSignedIn={goOn} />
    </Dialog>
  );
}
