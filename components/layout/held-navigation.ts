const RETRY_MS = 2_000;
/** What a proxy answers for a service that is away. */
const AWAY: readonly number[] = [502, 504];

/**
 * A `fetch` under which a page that is asked for waits until the service can be reached again: Next would leave for the
 * browser's error page. `onAway` is told when it begins to wait, and when it is over.
 */
export function holdNavigations(
  fetchNow: typeof fetch,
  { onAway, wait }: { onAway: (isAway: boolean) => void; wait: (ms: number) => Promise<void> },
): typeof fetch {
  return async (input, init) => {
    if (!isNavigation(init)) return fetchNow(input, init);
    let isHeld = false;
    for (;;) {
      const response = await fetchNow(input, init).catch((error: unknown) => {
        if (init?.signal?.aborted) throw error;
        return undefined;
      });
      if (response && !AWAY.includes(response.status)) {
        if (isHeld) onAway(false);
        return response;
      }
      isHeld = true;
      onAway(true);
      await wait(RETRY_MS);
    }
  };
}

/** Next asks for the parts of a page with this header; what it only guesses to be wanted may fail. */
function isNavigation(init: RequestInit | undefined): boolean {
  const headers = new Headers(init?.headers);
  const isGuess = headers.has('next-router-prefetch') || headers.has('next-router-segment-prefetch');
  return headers.get('rsc') === '1' && !isGuess;
}
