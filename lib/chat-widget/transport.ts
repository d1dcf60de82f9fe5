import type { ChatProblem, ChatSnapshot, ChatTransport } from '#lib/chat-client/chat-store.ts';
import { readEvents } from '#lib/chat-client/read-events.ts';

export type WidgetLook = {
  title: string;
  color: string;
  greeting: string;
  language: string;
  maxCharacters: number;
  words: Record<string, string>;
};

/** The widget's side of `/api/widget/…`. The token of the chat lives as long as the tab. */
export function createWidgetTransport(base: string, widgetId: string) {
  const key = `callwright.${widgetId}`;
  const url = (path: string) => `${base}/api/widget/${encodeURIComponent(widgetId)}${path}`;

  async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<Response> {
    const token = load(key);
    const response = await fetch(url(path), {
      method,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw problemOf(response.status);
    return response;
  }

  async function read<Data>(answer: Promise<Response>): Promise<Data> {
    return ((await (await answer).json()) as { data: Data }).data;
  }

  const transport: ChatTransport = {
    async start() {
      store(key, null);
      const { token, chat } = await read<{ token: string; chat: ChatSnapshot }>(ask('POST', '/chats'));
      store(key, token);
      return chat;
    },
    read: () =>
      read<ChatSnapshot>(ask('GET', '/chat')).catch((error: unknown) => {
        if ((error as ChatProblem).kind !== 'unavailable') throw error;
        store(key, null);
        return undefined;
      }),
    async send(message) {
      const { body } = await ask('POST', '/messages', message);
      if (!body) throw problemOf(500);
      return readEvents(body);
    },
    async end() {
      await ask('POST', '/end');
    },
  };
  return {
    transport,
    look: () => read<WidgetLook>(ask('GET', '')),
    hasChat: () => load(key) !== null,
    /** Whether the visitor left it open, on this page or the one before. */
    wasOpen: () => load(`${key}.open`) !== null,
    keepOpen: (isOpen: boolean) => store(`${key}.open`, isOpen ? '1' : null),
    forget: () => store(key, null),
  };
}

function problemOf(status: number): ChatProblem {
  if (status === 429) return { kind: 'busy' };
  return { kind: status === 403 || status === 404 ? 'unavailable' : 'failed' };
}

/** A page may forbid storage; the chat then lasts until it is left. */
const memory = new Map<string, string>();

function load(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return memory.get(key) ?? null;
  }
}

function store(key: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    if (value === null) memory.delete(key);
    else memory.set(key, value);
  }
}

/** Shows what a chat looks like; nothing is sent. */
export function previewTransport(greeting: string): ChatTransport {
  const opening = { seq: 1, from: 'agent', text: greeting } as const;
  const snapshot: ChatSnapshot = {
    conversationId: 'preview',
    status: 'open',
    isAnswering: false,
    messages: [opening],
    lastMessageId: null,
  };
  let seq = 1;
  return {
    start: async () => snapshot,
    read: async () => undefined,
    send: async () =>
      (async function* () {
        seq += 2;
        const text = 'This is a preview: nothing is sent.';
        yield { type: 'answer', status: 'open', message: { seq, from: 'agent', text } };
      })(),
    end: async () => undefined,
  };
}
