import type {
  CallPlan,
  ConversationResult,
  KnowledgeHit,
  ToolUseRecord,
  TurnRecord,
  UseWorkspaceTool,
} from '#lib/engine/plan.ts';
import type { CallOrder, LiveWords, Wanted } from '#lib/engine/supervision.ts';
import type { LiveSound } from '#lib/media/live-mix.ts';
import type { ProcessFigures } from '#lib/media/process-figures.ts';
import type { PlayedCall } from '#lib/ports/simulated-person.ts';
import type { WebConnection } from '#lib/ports/web-connection.ts';
import type { CarrierKind } from '#lib/ports/carrier-kinds.ts';
import type { TraceContext } from '#lib/trace/context.ts';
import type {
  Carrier,
  CarrierNews,
  CarrierState,
  IncomingAnswer,
  IncomingCall,
  LineTrace,
  PlacedCall,
} from '#lib/ports/carrier.ts';

/** One conversation: how its leg comes to be, and what was planned for it. */
export type ConversationOrder = {
  plan: CallPlan;
  carrier: CarrierKind;
  /** `dial`: the human is called. `answer`: the human has called, and waits. */
  opening: 'dial' | 'answer';
  /** What the carrier knows the call by; committed before an order to dial is given. */
  reference: string;
  /** What its requests to tools and models say of its trace; undefined where nobody collects traces. */
  trace?: TraceContext | undefined;
  /** The call is a simulation: no carrier is asked, this person is played on it. */
  played?: Pick<PlayedCall, 'person' | 'hasSound'> | undefined;
};

/** A line that rings and that nobody will answer. */
export type DeclinedLine = { carrier: CarrierKind; callId: string; reference: string };

/** What a conversation tells of itself, in the order in which it is stored. */
export type CallReport =
  /** The carrier took the call. */
  | { type: 'accepted'; reference: string }
  | { type: 'ringing'; atMs: number }
  | { type: 'answered'; atMs: number; by: 'human' | 'machine' | 'unknown'; trace?: LineTrace | undefined }
  | { type: 'turn'; turn: TurnRecord }
  | { type: 'tool_use'; use: ToolUseRecord }
  | { type: 'event'; name: string; data: Record<string, unknown> };

/**
 * The messages between the service and a process that runs conversations, over the channel that `fork` opens, with dates
 * and bytes as they are. `call` numbers a conversation, `request` a question; each side counts its own questions.
 */
export type ToProcess =
  | { kind: 'run'; call: number; order: ConversationOrder }
  /** The agent is to say goodbye. */
  | { kind: 'close'; call: number }
  /** Something could not be stored: the call has to end. */
  | { kind: 'fail'; call: number; reason: string }
  /** A person wants something of the call. */
  | { kind: 'order'; call: number; order: CallOrder }
  /** What is to be told of the call while it is spoken. */
  | { kind: 'want'; call: number; wanted: Wanted }
  | Answer
  | {
      kind: 'lookup';
      request: number;
      carrier: CarrierKind;
      reference: string;
      placed: PlacedCall | undefined;
    }
  /** A carrier's servers say something of a call, which may be another process's. */
  | { kind: 'news'; request: number; carrier: CarrierKind; reference: string; news: CarrierNews }
  | { kind: 'ping' }
  | { kind: 'decline'; line: DeclinedLine }
  /** Carriers of this process are to take calls that come in. */
  | { kind: 'listen' }
  /** The socket of a connection comes beside the message, and is answered at once. */
  | { kind: 'socket'; request: number }
  /** Comes behind it, and is answered where it did not come. */
  | { kind: 'has_socket'; request: number }
  /** The call of the socket that came last, which nobody else reads from any more. */
  | {
      kind: 'connection';
      carrier: CarrierKind;
      callId: string;
      request: WebConnection['request'];
      head: Uint8Array;
    }
  /** Ends the process. */
  | { kind: 'stop' };

/** `value` is what the question asked for; a fault is told by its message. */
export type Answer = { kind: 'answer'; request: number } & ({ value: AnswerValue } | { error: string });
/** News have no answer where their call is none of the process. */
export type AnswerValue =
  | boolean
  | KnowledgeHit[]
  | Lookup
  | IncomingAnswer
  | { reply: string | undefined }
  | { result: Record<string, unknown> }
  | { reference: string | undefined };
export type Lookup = Awaited<ReturnType<Carrier['lookup']>>;

/** A result without the recording's bytes: they lie in files beside the journal. */
export type ToldResult = Omit<ConversationResult, 'recording'> & { hasRecording: boolean };

export type FromProcess =
  | { kind: 'ready'; carriers: readonly CarrierKind[] }
  /** A sign of life, with how well the process kept time since the last one. */
  | { kind: 'pong'; figures: ProcessFigures }
  | { kind: 'carrier_state'; carrier: CarrierKind; state: CarrierState }
  /** The carrier was asked for the leg. */
  | { kind: 'asked'; call: number }
  | { kind: 'report'; call: number; atMs: number; report: CallReport }
  /** For whoever watches, neither kept nor repeated. */
  | { kind: 'words'; call: number; words: LiveWords }
  | { kind: 'sound'; call: number; sound: LiveSound }
  | { kind: 'ended'; call: number; result: ToldResult }
  /** The conversation broke; nothing follows. */
  | { kind: 'broken'; call: number; error: string }
  | { kind: 'extend_usage'; call: number; request: number; totalSeconds: number }
  | { kind: 'search_knowledge'; call: number; request: number; query: string }
  | { kind: 'use_workspace_tool'; call: number; request: number; use: Parameters<UseWorkspaceTool>[0] }
  /** The agent is to call somebody whom the call is handed to. */
  | { kind: 'begin_transfer'; call: number; request: number; to: string }
  /** Somebody calls: may the call come in? */
  | { kind: 'incoming'; request: number; carrier: CarrierKind; incoming: IncomingCall }
  | Answer;

/** Messages come in lists: what one turn of the event loop has to tell is one write and one read. */
export type FromProcessList = readonly FromProcess[];
