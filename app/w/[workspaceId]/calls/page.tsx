import { redirect } from 'next/navigation';
import { workspacePath } from '#components/layout/navigation.ts';

export default async function CallsPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  redirect(workspacePath((await params).workspaceId, 'conversations'));
}
