import { CallwrightError } from './error.ts';
import { requestEvents } from './events.ts';
import { createClient, createConfig } from './generated/client/index.ts';
import { CallwrightOperations } from './generated/sdk.gen.ts';
import type { Conversation } from './generated/types.gen.ts';

export { CallwrightError } from './error.ts';
export { everyItem, everyPage } from './paging.ts';
export { isSignedWebhook, readWebhook, SIGNATURE_HEADER } from './webhook.ts';
export type * from './generated/types.gen.ts';

export type CallwrightOptions = {
  /** Where the service is, such as `https://calls.example.com`: without `/api`. */
  url: string;
  /** An API key of the workspace (Settings, API keys). */
  apiKey: string;
  /** In place of the global one, for example to time out or to repeat. */
  fetch?: typeof fetch;
};

/**
 * A client of one workspace: a method for each operation of the API (`/docs` of the service), which resolves with the
 * answer, `{ data, message }`, and rejects with a `CallwrightError` where the service refuses.
 */
export class Callwright extends CallwrightOperations {
  constructor({ url, apiKey, fetch }: CallwrightOptions) {
    const client = createClient(
      createConfig({
        baseUrl: `${url.replace(/\/+$/, '')}/api`,
        auth: apiKey,
        throwOnError: true,
        ...(fetch ? { fetch } : {}),
      }),
    );
    // What failed before an answer came, such as a connection, stays the error that `fetch` threw.
    client.interceptors.error.use((error, response) =>
      response && !response.ok ? new CallwrightError(response, error) : error,
    );
    client.sse.post = requestEvents(client);
    super({ client });
  }

  /**
   * Waits until a conversation has ended and answers it. Rejects with the reason of `signal` where that comes first:
   * `AbortSignal.timeout(ms)`.
   */
  async conversationEnded(
    id: string,
    { signal, everyMs = 1000 }: { signal?: AbortSignal; everyMs?: number } = {},
  ): Promise<Conversation> {
    for (;;) {
      const { data } = await this.getConversation({ path: { id }, ...(signal ? { signal } : {}) });
      if (data) return data;
      await sleep(everyMs, signal);
    }
  }
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
