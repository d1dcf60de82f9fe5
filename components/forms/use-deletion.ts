'use client';

import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useToast } from '#components/ui/toast.tsx';
import { describeFailure } from './server-problems.ts';

/** Deletes what the open page is about and leads back to its list. A refusal is told, and the page stays. */
export function useDeletion(deleted: {
  name: string;
  remove: () => Promise<unknown>;
  /** The path of the list, and its query, which is asked again. */
  list: string;
  listKey: QueryKey;
}) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: deleted.remove,
    onSuccess: () => {
      toast({ title: `${deleted.name} was deleted` });
      // Leaves first: asking for it again from its own page would only fail.
      router.push(deleted.list);
      void queryClient.invalidateQueries({ queryKey: deleted.listKey });
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
}
