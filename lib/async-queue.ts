export type AsyncQueue<T> = AsyncIterable<T> & {
  /** Adds an item; dropped once the queue was closed. */
  push(item: T): void;
  /** Ends the iteration after the items that are already in. */
  close(): void;
};

/** An unbounded queue read with `for await` by one reader. What goes in comes out in order. */
export function createAsyncQueue<T>(): AsyncQueue<T> {
  const items: T[] = [];
  let closed = false;
  let wake: (() => void) | undefined;

  const notify = () => {
    wake?.();
    wake = undefined;
  };

  return {
    push(item) {
      if (closed) return;
      items.push(item);
      notify();
    },
    close() {
      closed = true;
      notify();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const item = items.shift();
        if (item !== undefined) {
          yield item;
          continue;
        }
        if (closed) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
