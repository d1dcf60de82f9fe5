import type { SpokenLanguage } from '#lib/engine/languages/language.ts';
import type { TurnTimings } from './latency.ts';
import type { CallParty } from '#lib/phone-number.ts';
import type { LineTrace } from '#lib/ports/carrier.ts';
import type { ListeningOptions } from '#lib/ports/speech.ts';

/** Who the agent is on this call; every part has a value by the time a call runs. */
export type VoiceCard = {
  personaName: string | null;
  businessName: string;
  /** What the agent helps with; anything else is declined kindly. */
  scope: string | null;
  tone: 'calm' | 'warm' | 'professional';
  /** Spoken word for word when somebody asks whether this is an AI. */
  aiDisclosure: string;
};

/** A prompt after its variables were put in. Made by `lib/engine/prompt`, never contains `{{`. */
export type RenderedPrompt = {
  /** Spoken first, exactly. */
  opening: string;
  /** The variables without which the opening that was written by hand states nothing, so that `opening` is another one. */
  missingForOpening: string[];
  /** The whole text the language model gets, the card and the marked variables included. */
  instructions: string;
  /** What the prompt itself says, without card and rules: the keyless brain reads its purpose from it. */
  body: string;
  card: VoiceCard;
};

export type KnowledgeHit = { text: string; score: number; documentName: string; location: string };

/** A tool of one of the workspace's integrations, as the model knows it. It runs in the service, which has the secrets. */
export type WorkspaceTool = {
  name: string;
  description: string;
  /** JSON Schema of an object, bounded when it was stored. */
  parameters: Record<string, unknown>;
  integrationId: string;
  /** Said while the tool works, where nothing was said yet. */
  meanwhile: string | null;
};

/** Uses a workspace tool, wherever its secrets are. Never rejects for what the other side does. */
export type UseWorkspaceTool = (use: {
  integrationId: string;
  name: string;
  arguments: unknown;
}) => Promise<Record<string, unknown>>;

/** Everything a conversation needs, frozen when the call starts: later edits do not change a running call. */
export type CallPlan = {
  callId: string;
  workspaceId: string;
  agentId: string;
  direction: 'INBOUND' | 'OUTBOUND';
  agentPhoneNumber: CallParty;
  humanPhoneNumber: CallParty;
  variables: Record<string, string>;
  /** IANA name, for dates that are spoken and booked. */
  timeZone: string;
  /** The moment the call began, for "tomorrow" and "next Tuesday". */
  startedAt: Date;
  prompt: RenderedPrompt;
  /** Said before the opening: that the call is recorded. null where the workspace does not want it. */
  announcement: string | null;
  /** What everything fixed is said in. */
  language: SpokenLanguage;
  voiceId: string | null;
  listening: ListeningOptions;
  hasEndCall: boolean;
  hasCallTransfer: boolean;
  /** Where a transfer goes; null = the carrier's own operator, where it has one (the simulated one does). */
  transferNumber: string | null;
  transferCallerId: 'human' | 'agent';
  /** `warm`: the agent calls the other party, says what it is about, and connects both. */
  transferMode: 'cold' | 'warm';
  /** Inbound only: hand the caller to `transferNumber` after the greeting, without a conversation. */
  hasAutoInboundTransfer: boolean;
  disabledToolNames: string[];
  /** What the agent's integrations can do. */
  workspaceTools: WorkspaceTool[];
  /** Integrations that the agent names and that are not there, switched off, or a calendar beside another one. */
  missingIntegrations: { integrationId: string; reason: 'unknown' | 'off' | 'second_calendar' }[];
  hasKnowledge: boolean;
  limits: { maxDurationMs: number; silenceMs: number };
};

export type TurnRecord = {
  seq: number;
  speaker: 'agent' | 'human';
  /** What was heard. */
  text: string;
  /** What the agent meant to say, where it was cut short; null otherwise. */
  intendedText: string | null;
  startedMs: number;
  endedMs: number;
  interrupted: boolean;
  /** When each word of `text` (what stands between blanks) began, counted from `startedMs`; left out where unknown. */
  wordStartsMs?: number[];
  /** Of the agent's answer to a turn of the person: how long that took. */
  timings?: TurnTimings;
};

export type ToolUseRecord = {
  seq: number;
  name: string;
  arguments: Record<string, unknown>;
  result: Record<string, unknown>;
  startedMs: number;
  endedMs: number;
};

/**
 * How the engine reports to whoever runs the call: messages, stored behind the conversation in the order in which they
 * were posted. A post never waits and never throws.
 */
export type CallSinks = {
  ringing(atMs: number): void;
  /** `trace`: by what the line can be hung up if this process is no more. */
  answered(atMs: number, by: 'human' | 'machine' | 'unknown', trace?: LineTrace): void;
  turn(turn: TurnRecord): void;
  toolUse(use: ToolUseRecord): void;
  event(type: string, data: Record<string, unknown>): void;
  /** Resolves when all that was posted until now is stored; rejects with the first failure. */
  flush(): Promise<void>;
  /** Aborts with the first failure as its reason: the call has to end. */
  readonly failed: AbortSignal;
  /** Asks for another minute of the monthly limit; false = say goodbye now. */
  extendUsage(totalSeconds: number): Promise<boolean>;
};

export type ConversationResult = {
  /** null: never connected, with the reason. */
  connected: boolean;
  neverConnectedReason: string | null;
  answeredBy: 'human' | 'machine' | 'unknown' | null;
  /** From answer to hang-up. */
  durationMs: number;
  voicemail: 'message_left' | 'no_message' | null;
  /** There where the person could not be understood: whether they left a recorded message. */
  recordedMessage?: 'left' | 'none';
  transferredTo: string | null;
  appointment: { startsAt: string; timeZone: string; spoken: string } | null;
  callback: { spoken: string; contact?: string } | null;
  endedBy: 'agent' | 'human' | 'carrier' | 'limit' | 'shutdown' | 'staff' | null;
  /** One sentence for a person. */
  endReason: string;
  usage: { inputTokens: number; outputTokens: number; spokenMs: number };
  /** Stereo WAV, left the agent, right the human; null when never connected. */
  recording: { body: AsyncIterable<Uint8Array>; sizeBytes: number } | null;
};
