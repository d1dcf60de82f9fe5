export type ClientMessage = { seq: number; from: 'agent' | 'person'; text: string; at?: string };
export type ClientToolUse = {
  seq: number;
  name: string;
  arguments: Record<string, unknown>;
  result: Record<string, unknown>;
  /** The message of the person that it was used for. */
  afterSeq: number;
};

/** Why something did not work; `refused` comes with the service's own sentence. */
export type ChatProblem = {
  kind: 'offline' | 'busy' | 'failed' | 'unavailable' | 'refused';
  message?: string;
};

export type ChatView = {
  /** `new`: nothing was sent yet. */
  status: 'new' | 'open' | 'ended';
  messages: readonly ClientMessage[];
  toolUses: readonly ClientToolUse[];
  /** The answer as far as it is written. */
  partial: string;
  isAnswering: boolean;
  problem: ChatProblem | null;
  /** The conversation, once there is one. */
  chatId: string | null;
};

/** What the service knows of a chat. */
export type ChatSnapshot = {
  conversationId: string;
  status: 'open' | 'ended';
  isAnswering: boolean;
  messages: readonly ClientMessage[];
  /** Under which id the last message of the person was sent. */
  lastMessageId: string | null;
  toolUses?: readonly (Omit<ClientToolUse, 'afterSeq'> & { at?: string })[];
};

/** One event of an answer's stream, as lib/features/chats/contract.ts describes them. */
type Answering =
  | { type: 'message' | 'answer'; message: ClientMessage; status?: 'open' | 'ended' }
  | { type: 'text'; text: string }
  | { type: 'tool'; toolUse: Omit<ClientToolUse, 'afterSeq'> }
  | { type: 'failed' | 'ended' };

/** How the service is reached. Each rejects with a `ChatProblem`, or with anything else where the network fails. */
export type ChatTransport = {
  start(): Promise<ChatSnapshot>;
  /** Undefined where there is no such chat any more. */
  read(): Promise<ChatSnapshot | undefined>;
  send(message: { id: string; text: string }): Promise<AsyncIterable<unknown>>;
  end(): Promise<void>;
};

const POLL_MS = 1_000;
const EMPTY: ChatView = {
  status: 'new',
  messages: [],
  toolUses: [],
  partial: '',
  isAnswering: false,
  problem: null,
  chatId: null,
};

export type ChatStore = ReturnType<typeof createChatStore>;

/** A chat as its page shows it: what was said, what is being written, what went wrong and can be tried again. */
export function createChatStore(transport: ChatTransport, greeting?: string) {
  const initial: ChatView =
    greeting === undefined ? EMPTY : { ...EMPTY, messages: [{ seq: 1, from: 'agent', text: greeting }] };
  let view = initial;
  let unanswered: { id: string; text: string } | undefined;
  /** Goes up with each chat: what an earlier one still brings is dropped. */
  let round = 0;
  const listeners = new Set<() => void>();

  function set(change: Partial<ChatView>): void {
    view = { ...view, ...change };
    for (const listener of listeners) listener();
  }

  function show(snapshot: ChatSnapshot): void {
    const last = snapshot.messages.at(-1);
    if (last?.from === 'person' && snapshot.lastMessageId !== null)
      unanswered = { id: snapshot.lastMessageId, text: last.text };
    const known = new Map(view.toolUses.map((use) => [use.seq, use]));
    set({
      status: snapshot.status,
      chatId: snapshot.conversationId,
      messages: snapshot.messages,
      toolUses: (snapshot.toolUses ?? []).map(
        (use) => known.get(use.seq) ?? { ...use, afterSeq: askedBefore(snapshot.messages, use.at) },
      ),
      isAnswering: snapshot.isAnswering,
      partial: '',
      problem: null,
    });
  }

  function add(message: ClientMessage): void {
    set({ messages: [...view.messages.filter(({ seq }) => seq !== message.seq), message] });
  }

  const nextSeq = () => (view.messages.at(-1)?.seq ?? 0) + 1;

  function take(event: Answering): void {
    switch (event.type) {
      case 'message':
        return add(event.message);
      case 'text':
        return set({ partial: view.partial + event.text });
      case 'tool': {
        const afterSeq = view.messages.at(-1)?.seq ?? 0;
        return set({ toolUses: [...view.toolUses, { ...event.toolUse, afterSeq }] });
      }
      case 'answer':
        unanswered = undefined;
        add(event.message);
        return set({ partial: '', isAnswering: false, status: event.status ?? 'open' });
      case 'failed':
        return set({ partial: '', isAnswering: false, problem: { kind: 'failed' } });
      case 'ended':
        return set({ partial: '', isAnswering: false, status: 'ended' });
    }
  }

  async function ask(message: { id: string; text: string }): Promise<void> {
    const mine = round;
    unanswered = message;
    set({ isAnswering: true, problem: null, partial: '' });
    try {
      if (view.status === 'new') {
        const asked = view.messages.at(-1);
        show({ ...(await transport.start()), isAnswering: true });
        // Behind the greeting that came with it.
        if (asked) add({ ...asked, seq: nextSeq() });
      }
      const events = await transport.send(message);
      for await (const event of events) {
        if (mine !== round) return;
        take(event as Answering);
      }
      // Cut off without a word of how it went: the answer is being made all the same.
      if (view.isAnswering) await wait(mine);
    } catch (error) {
      if (mine === round) set({ isAnswering: false, partial: '', problem: problemOf(error) });
    }
  }

  /** Waits for an answer whose stream was lost, by asking now and then. */
  async function wait(mine: number): Promise<void> {
    while (mine === round && view.isAnswering) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      const snapshot = await transport.read();
      if (mine !== round) return;
      if (!snapshot) return reset();
      show(snapshot);
      const isOpen = !snapshot.isAnswering && snapshot.messages.at(-1)?.from === 'person';
      if (isOpen) set({ problem: { kind: 'failed' } });
      else if (!snapshot.isAnswering) unanswered = undefined;
    }
  }

  function reset(): void {
    round += 1;
    unanswered = undefined;
    view = initial;
    set({});
  }

  /** Shows a chat that began before the page was loaded; where it is gone, a new one may begin. */
  async function resume(): Promise<void> {
    const mine = round;
    try {
      const snapshot = await transport.read();
      if (mine !== round) return;
      if (!snapshot) return reset();
      show(snapshot);
      await wait(mine);
    } catch (error) {
      set({ isAnswering: false, problem: problemOf(error) });
    }
  }

  const retry = (): Promise<void> => (unanswered ? ask(unanswered) : Promise.resolve());

  return {
    view: (): ChatView => view,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    resume,
    send(text: string): Promise<void> {
      add({ seq: nextSeq(), from: 'person', text });
      return ask({ id: newId(), text });
    },
    /** Asks for the answer that did not come. */
    retry,
    /** The network is back: what could not be sent or read without it is sent or read now. */
    async reconnect(): Promise<void> {
      if (view.problem?.kind !== 'offline') return;
      if (unanswered) return retry();
      set({ problem: null });
      await resume();
    },
    async end(): Promise<void> {
      try {
        await transport.end();
        set({ status: 'ended', isAnswering: false, partial: '', problem: null });
      } catch (error) {
        set({ problem: problemOf(error) });
      }
    },
    reset,
  };
}

/** The message of the person that something was done for: the last one before it. */
function askedBefore(messages: readonly ClientMessage[], at: string | undefined): number {
  const isBefore = (message: ClientMessage) => !message.at || !at || message.at <= at;
  return messages.findLast((message) => message.from === 'person' && isBefore(message))?.seq ?? 0;
}

/** `crypto.randomUUID` is for secure pages only, and some websites are not. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function problemOf(error: unknown): ChatProblem {
  const isProblem = typeof error === 'object' && error !== null && 'kind' in error;
  return isProblem ? (error as ChatProblem) : { kind: 'offline' };
}
