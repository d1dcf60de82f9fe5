import type { RealtimeEvent, RealtimeModel } from './realtime.ts';

export type RealtimeManner = 'works' | 'fails' | 'hangs' | 'bad_key' | 'no_credit' | 'transcribes_nothing';

/** One answer of the model behind a session. `fails`: the provider's code. `breaksOff`: falls silent in the middle. */
export type ScriptedAnswer = {
  text?: string;
  tool?: { name: string; arguments: Record<string, unknown> };
  fails?: string;
  hangs?: boolean;
  breaksOff?: boolean;
  finish?: 'content_filter' | 'max_output_tokens';
};

/** What stands behind a realtime model in its test. It hears a word for each 100 ms of sound. */
export type RealtimeProvider = {
  model: RealtimeModel;
  behave(manner: RealtimeManner): void;
  /** The next answers, in order; after them "I see.", 50 ms of sound for each character. */
  answer(...answers: ScriptedAnswer[]): void;
  recites(saying: (line: string) => string): void;
  dropConnections(): void;
  /** The conversation as the model knows it: `user: word word`, `assistant: I see. (300 ms)`, `tool: {"ok":true}`. */
  conversation(): string[];
  /** What the session was set to, as one text. */
  told(): string;
  /** What the client did that the protocol forbids. */
  errors(): string[];
  close(): Promise<void>;
};

type Heard = { words: string; soundMs: number; calls: string[]; finish: string | undefined };

/** Reads an answer to its end. */
export async function hear(answer: AsyncIterable<RealtimeEvent>): Promise<Heard> {
  const heard: Heard = { words: '', soundMs: 0, calls: [], finish: undefined };
  for await (const event of answer) {
    if (event.type === 'words') heard.words += event.delta;
    if (event.type === 'sound') heard.soundMs += event.samples.length / 16;
    if (event.type === 'tool_call') heard.calls.push(`${event.name} ${event.arguments}`);
    if (event.type === 'done') heard.finish = event.finish ?? 'whole';
  }
  return heard;
}
