import { NotInWorkspace } from '#components/layout/not-in-workspace.tsx';

export default function WorkspaceNotFoundPage() {
  return <NotInWorkspace />;
}
