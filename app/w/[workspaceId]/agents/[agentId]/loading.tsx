import { Skeleton } from '#components/ui/skeleton.tsx';

export default function AgentTabLoading() {
  return (
    <output aria-busy="true" className="grid gap-6 xl:grid-cols-2">
      <span className="sr-only">Loading</span>
      <Skeleton className="h-96" />
      <Skeleton className="h-96" />
    </output>
  );
}
