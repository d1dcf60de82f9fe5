import type { ChatMessage } from '#lib/ports/language-model.ts';
import type { RealtimeRequest } from '#lib/ports/realtime.ts';
import type { Response } from './realtime-response.ts';

/** Sound of the person that lies in the conversation; `text` once it is known what was said. */
type HeardItem = { id: string; text: string | undefined };

/** What an answer was asked with, beside the conversation before it. */
export type Told = {
  /** Texts that were added for it. */
  ids: string[];
  /** Sound that it answers. */
  sounds: HeardItem[];
};

/**
 * What lies in the conversation of a connection: sound that was committed, and what the model is told as text because
 * it has not heard it (keys, typed words, the call before the connection was lost).
 */
export function createItems(send: (event: Record<string, unknown>) => void) {
  const sounds = createHeardSounds();
  let isFresh = true;
  let lastId = 0;
  const given = new Set<string>();

  function add(item: Record<string, unknown>, after?: string): string {
    const id = `item_${(lastId += 1)}`;
    const place = after === undefined ? {} : { previous_item_id: after };
    send({ type: 'conversation.item.create', event_id: `${id}_add`, ...place, item: { id, ...item } });
    return id;
  }

  function remove(id: string): void {
    if (id !== '') send({ type: 'conversation.item.delete', event_id: `${id}_delete`, item_id: id });
  }

  /** In front of what was heard already on the new connection. */
  function tellBefore(messages: readonly ChatMessage[]): void {
    let after = 'root';
    for (const message of messages) for (const item of itemsOf(message)) after = add(item, after);
  }

  return {
    committed: sounds.add,
    transcribed: sounds.name,
    keep: sounds.keep,
    /** A new connection knows nothing. */
    restart(): void {
      isFresh = true;
      sounds.clear();
      given.clear();
    },
    /**
     * Tells the model what it does not know of a request. Sound whose words are not in it (a noise, an echo, an "uh-huh"
     * over the agent) is taken out of the conversation, where it would be answered.
     */
    tell({ heard, messages }: Pick<RealtimeRequest, 'heard' | 'messages'>): Told {
      if (isFresh) tellBefore(messages);
      isFresh = false;
      if (heard === undefined) return { ids: [], sounds: [] };
      const { answered, unwanted, unheard } = sounds.match(heard);
      for (const { id } of unwanted) remove(id);
      return { ids: unheard === '' ? [] : [add(userText(unheard))], sounds: answered };
    },
    /** On a new connection it comes with the call before. */
    note(message: ChatMessage): void {
      if (!isFresh) for (const item of itemsOf(message)) add(item);
    },
    giveResult(callId: string, result: Record<string, unknown>): void {
      given.add(callId);
      add({ type: 'function_call_output', call_id: callId, output: JSON.stringify(result) });
    },
    /** Takes out what was not heard of a response that is over; true where nothing is left of it. */
    truncate(response: Response, heardMs: number): boolean {
      let leftMs = heardMs;
      let isGone = true;
      for (const item of response.items) {
        const endMs = Math.min(item.ms, leftMs);
        leftMs -= endMs;
        if (item.type === 'function_call' ? given.has(item.callId) : endMs > 0) isGone = false;
        else remove(item.id);
        // The API refuses more than there is: a sound that was heard to its end is left as it is.
        if (endMs > 0 && endMs < item.ms) send(truncation(response, item.id, endMs));
      }
      return isGone;
    },
    forget(told: Told): void {
      for (const id of told.ids) remove(id);
    },
  };
}

const truncation = ({ key }: Response, itemId: string, endMs: number) => ({
  type: 'conversation.item.truncate',
  event_id: `${key}_truncate`,
  item_id: itemId,
  content_index: 0,
  audio_end_ms: Math.floor(endMs),
});

/** Sound of the person that was not answered yet. */
function createHeardSounds() {
  let heard: HeardItem[] = [];
  return {
    clear(): void {
      heard = [];
    },
    add(id: string): void {
      if (!heard.some((item) => item.id === id)) heard.push({ id, text: undefined });
    },
    /** It is known now what was said. */
    name(id: string, text: string): void {
      const item = heard.find((known) => known.id === id);
      if (item) item.text = text;
      else heard.push({ id, text });
    },
    /** The answer was heard, or did something: what it answers is not answered again. */
    keep({ sounds }: Told): void {
      heard = heard.filter((item) => !sounds.includes(item));
    },
    /** Which sounds `words` are about, which others are about nothing, and which words none of them holds. */
    match(words: string): { answered: HeardItem[]; unwanted: HeardItem[]; unheard: string } {
      const answered: HeardItem[] = [];
      const unwanted: HeardItem[] = [];
      let rest = words;
      for (const item of heard) {
        if (item.text === undefined) continue;
        const at = item.text === '' ? -1 : rest.indexOf(item.text);
        (at === -1 ? unwanted : answered).push(item);
        if (at !== -1) rest = `${rest.slice(0, at)} ${rest.slice(at + item.text.length)}`;
      }
      heard = heard.filter((item) => !unwanted.includes(item));
      return { answered, unwanted, unheard: rest.replace(/\s+/g, ' ').trim() };
    },
  };
}

const userText = (text: string) => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
});

function itemsOf(message: ChatMessage): Record<string, unknown>[] {
  if (message.role === 'user') return [userText(message.content)];
  if (message.role === 'tool')
    return [{ type: 'function_call_output', call_id: message.toolCallId, output: message.content }];
  const said =
    message.content === ''
      ? []
      : [
          {
            type: 'message',
            role: 'assistant',
            content: [{ type: 'output_text', text: message.content }],
          },
        ];
  const calls = (message.toolCalls ?? []).map(({ id, name, arguments: given }) => ({
    type: 'function_call',
    call_id: id,
    name,
    arguments: given,
  }));
  return [...said, ...calls];
}
