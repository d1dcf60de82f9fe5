export type ToolDefinition = {
  name: string;
  description: string;
  /** JSON Schema of the arguments object. */
  parameters: Record<string, unknown>;
};

export type ChatMessage =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls?: { id: string; name: string; arguments: string }[] }
  | { role: 'tool'; toolCallId: string; content: string };

export type ModelUsage = { inputTokens: number; outputTokens: number };

export type ModelEvent =
  /** What the model wants to be heard; never what it thinks to itself. */
  | { type: 'text'; delta: string }
  /** A sign of life: the model works on what nobody hears (it thinks to itself, it writes the arguments of a tool). */
  | { type: 'working' }
  | { type: 'tool_call'; id: string; name: string; arguments: string }
  /** `length`: cut off in the middle by a limit; `filtered`: the provider withheld the answer; else it is complete. */
  | { type: 'done'; usage: ModelUsage | undefined; finish?: 'length' | 'filtered' };

export type LanguageModel = {
  readonly model: string;
  /**
   * Streams one reply. Throws `AppError('PROVIDER_FAILED')` when the provider does not answer usefully, at once and
   * without another try: whoever holds a call decides about that (provider-failure.ts).
   */
  respond(request: {
    instructions: string;
    messages: ChatMessage[];
    tools: ToolDefinition[];
    signal?: AbortSignal;
  }): AsyncIterable<ModelEvent>;
  /** One answer that follows `schema` (JSON Schema, strict); returned parsed but not validated. */
  completeJson(request: {
    instructions: string;
    input: string;
    schemaName: string;
    schema: Record<string, unknown>;
    signal?: AbortSignal;
  }): Promise<{ value: unknown; usage: ModelUsage | undefined }>;
};
