'use client';

import { SignInForm } from './sign-in-form.tsx';

/** Leaves the sign-in page with a full load, so that every part of the next page knows the new session. */
export function SignInCard({ nextPath }: { nextPath: string }) {
  return <SignInForm onSignedIn={() => window.location.assign(nextPath)} />;
}
