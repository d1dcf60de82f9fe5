import { redirect } from 'next/navigation';
import { Logo } from '#components/layout/logo.tsx';
import { safeNextPath } from '#components/layout/next-path.ts';
import { SignInCard } from '#components/layout/sign-in-card.tsx';
import { loadUser } from '#lib/auth/loaders.ts';

export const metadata = { title: 'Sign in' };

export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<{ next?: string | string[] }>;
}) {
  const { next } = await searchParams;
  const nextPath = safeNextPath(next);
  if (await loadUser()) redirect(nextPath);
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4 py-12">
      <div className="w-full max-w-sm">
        <div className="mb-8 flex justify-center">
          <Logo />
        </div>
        <div className="rounded-xl border border-line bg-surface p-6 shadow-card sm:p-8">
          <h1 className="text-xl font-semibold tracking-tight text-ink">Sign in</h1>
          <p className="mt-1 mb-6 text-base text-ink-muted">Use the account of your workspace.</p>
          <SignInCard nextPath={nextPath} />
        </div>
        <p className="mt-6 text-center text-sm text-pretty text-ink-subtle">
          No account? An owner of your workspace adds people under Settings, Members.
        </p>
      </div>
    </main>
  );
}
