import { TableSkeleton } from '#components/ui/skeleton.tsx';

export default function SettingsLoading() {
  return <TableSkeleton label="Loading settings" rows={6} />;
}
