import type { Metadata } from 'next';
import { NothingShared, SharedConversation } from '#components/shares/shared-conversation.tsx';
import { loadShared } from '#lib/features/shares/loaders.ts';

/** Says nothing of what it shows: a title is in the history of a browser. */
export const metadata: Metadata = {
  title: 'Shared conversation',
  robots: { index: false, follow: false },
  referrer: 'no-referrer',
};

export default async function SharedPage({ params }: { params: Promise<{ token: string }> }) {
  const shared = await loadShared((await params).token);
  return shared ? <SharedConversation {...shared} /> : <NothingShared />;
}
