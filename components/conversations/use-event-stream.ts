'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { readEventData } from './event-stream.ts';
import { liveWords, type SpokenWords } from '#lib/features/calls/supervision/contract.ts';
import { callEvent, type CallEvent } from '#lib/features/conversations/contract.ts';

export type StreamState = 'connecting' | 'open' | 'waiting';

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;

/**
 * Follows a stream of call events while the page is visible, and comes back by itself after a break, from the last
 * event seen. A hidden tab lets go of its connection: browsers allow only six to one server. `onChange` is called for
 * every event, and whenever the stream opens: what happened between the page's data and the first event is not in it.
 * `onWords` is told what is being said just now.
 */
export function useEventStream(
  url: string | null,
  onChange: () => void,
  onWords: (words: SpokenWords) => void = ignore,
): StreamState {
  const [state, setState] = useState<StreamState>('connecting');
  const handle = useEffectEvent(onChange);
  const handleWords = useEffectEvent(onWords);
  useEffect(() => {
    if (url === null) return undefined;
    const connection = follow(url, {
      onChange: () => handle(),
      onWords: (words) => handleWords(words),
      onState: setState,
    });
    return () => connection.close();
  }, [url]);
  return state;
}

const ignore = () => undefined;

type Handlers = {
  onChange: () => void;
  onWords: (words: SpokenWords) => void;
  onState: (state: StreamState) => void;
};

function follow(url: string, handlers: Handlers): { close: () => void } {
  let lastId: number | undefined;
  let attempt: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retryMs = FIRST_RETRY_MS;
  let isClosed = false;

  const connect = async () => {
    const current = new AbortController();
    attempt = current;
    const hasEnded = await readOnce(withPosition(url, lastId), current.signal, {
      onEvent(event) {
        lastId = event.id;
        retryMs = FIRST_RETRY_MS;
        handlers.onChange();
      },
      onWords: handlers.onWords,
      onOpen() {
        handlers.onState('open');
        handlers.onChange();
      },
    });
    if (isClosed || current.signal.aborted || hasEnded === 'refused') return;
    handlers.onState('waiting');
    timer = setTimeout(() => void connect(), retryMs);
    retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
  };
  const onVisibility = () => {
    attempt?.abort();
    clearTimeout(timer);
    if (document.visibilityState === 'visible') void connect();
  };
  document.addEventListener('visibilitychange', onVisibility);
  if (document.visibilityState === 'visible') void connect();
  return {
    close: () => {
      isClosed = true;
      document.removeEventListener('visibilitychange', onVisibility);
      clearTimeout(timer);
      attempt?.abort();
    },
  };
}

/** One connection until it ends. `refused`: the service said no, so that trying again is useless. */
async function readOnce(
  url: string,
  signal: AbortSignal,
  handlers: {
    onEvent: (event: CallEvent) => void;
    onWords: (words: SpokenWords) => void;
    onOpen: () => void;
  },
): Promise<'ended' | 'refused'> {
  try {
    const response = await fetch(url, { signal, headers: { accept: 'text/event-stream' } });
    if (!response.ok || !response.body) return response.status < 500 ? 'refused' : 'ended';
    handlers.onOpen();
    for await (const data of readEventData(response.body)) {
      const parsed = parseJson(data);
      const event = callEvent.safeParse(parsed);
      if (event.success) handlers.onEvent(event.data);
      const words = liveWords.safeParse(parsed);
      if (words.success) handlers.onWords(words.data);
    }
  } catch {
    // The connection broke or was let go of; the caller decides.
  }
  return 'ended';
}

function withPosition(url: string, lastId: number | undefined): string {
  return lastId === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}after=${lastId}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
