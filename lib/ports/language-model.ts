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
  | { type: 'text'; delta: string }
  | { type: 'tool_call'; id: string; name: string; arguments: string }
  | { type: 'done'; usage: ModelUsage | undefined };

export type LanguageModel = {
  readonly model: string;
  /** Streams one reply. Throws `AppError('PROVIDER_FAILED')` when the provider does not answer usefully. */
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
