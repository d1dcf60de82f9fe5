import type { z } from 'zod';
import type { CallPlan, ConversationResult, KnowledgeHit, UseWorkspaceTool } from '#lib/engine/plan.ts';

/** What ends the call once the words of the current reply were heard. */
export type Finish =
  | { kind: 'hang_up'; reason: string }
  | {
      kind: 'transfer';
      to: string;
      callerId: string;
      /** What the person wants, for whom they are handed to. */
      reason?: string | undefined;
    };

/** What a conversation achieved so far; tools write it, the result carries it. */
export type Outcome = Pick<ConversationResult, 'appointment' | 'callback'>;

export type ToolContext = {
  plan: CallPlan;
  /** The moment in the call, for dates. */
  now(): Date;
  searchKnowledge(query: string): Promise<KnowledgeHit[]>;
  useWorkspaceTool: UseWorkspaceTool;
  outcome: Outcome;
  /** Presses keys on the call; undefined where the other side hears none. */
  sendDigits?: ((digits: string) => Promise<void>) | undefined;
  /** Ends the call after the reply in which this was called was played out. */
  finishAfterReply(finish: Finish): void;
};

/** What the line of the call can do. */
export type Line = Pick<ToolContext, 'sendDigits'>;

/**
 * Something the agent can do during a call. One file per tool; `run` gets checked arguments and answers what the brain
 * learns of it. A tool must not wait on the call clock: the call stands still while it works.
 */
export type Tool<Arguments extends Record<string, unknown> = Record<string, unknown>> = {
  name: string;
  /** For the language model: what it does and when to use it. */
  description: string;
  parameters: z.ZodType<Arguments>;
  isOffered(plan: CallPlan, line: Line): boolean;
  run(context: ToolContext, args: Arguments): Promise<Record<string, unknown>>;
};
