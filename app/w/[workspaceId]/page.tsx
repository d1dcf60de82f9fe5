import { redirect } from 'next/navigation';
import { workspacePath } from '#components/layout/navigation.ts';

export default async function WorkspacePage({ params }: { params: Promise<{ workspaceId: string }> }) {
  redirect(workspacePath(decodeURIComponent((await params).workspaceId), 'overview'));
}
