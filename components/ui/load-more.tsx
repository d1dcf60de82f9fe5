import { Button } from './button.tsx';

type Paged = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };

/** The rest of a list that is read page by page; nothing where all of it is there. */
export function LoadMore({ list }: { list: Paged }) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      className="self-center"
      isBusy={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      Load more
    </Button>
  );
}
