import { SearchX } from 'lucide-react';
import { buttonClasses } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';

export const metadata = { title: 'Not found' };

export default function NotFoundPage() {
  return (
    <main className="mx-auto flex min-h-dvh max-w-xl flex-col justify-center p-6">
      <h1 className="sr-only">Page not found</h1>
      <EmptyState
        icon={<SearchX />}
        title="This page does not exist"
        description="The address may be mistyped, or what it led to was deleted."
        actions={
          <Link href="/" className={buttonClasses({ variant: 'primary' })}>
            Go to the dashboard
          </Link>
        }
      />
    </main>
  );
}
