import { en } from './languages/en.ts';
import { createLogger } from '#lib/log.ts';
import { createOrderedWriter } from '#lib/ordered-writer.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import type { SpokenLeg } from '#lib/ports/carrier.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import type {
  CallPlan,
  CallSinks,
  ConversationResult,
  KnowledgeHit,
  RenderedPrompt,
  ToolUseRecord,
  TurnRecord,
  UseWorkspaceTool,
  VoiceCard,
} from './plan.ts';
import { renderTranscript } from './transcript.ts';

/** A plan for tests: an outbound reminder call of a dental practice, with every tool allowed. */
export function planForTest(
  changes: Partial<Omit<CallPlan, 'prompt'>> & {
    prompt?: Partial<Omit<RenderedPrompt, 'card'>>;
    card?: Partial<VoiceCard>;
  } = {},
): CallPlan {
  const { prompt, card, ...rest } = changes;
  return {
    callId: 'cnv_test',
    workspaceId: 'ws_test',
    agentId: 'agent_test',
    direction: 'OUTBOUND',
    agentPhoneNumber: parsePhoneNumber('+15550100001'),
    humanPhoneNumber: parsePhoneNumber('+15550199900'),
    variables: { name: 'Anna' },
    timeZone: 'Europe/Berlin',
    startedAt: new Date('2026-03-02T09:00:00.000Z'),
    language: { code: 'en', lines: en },
    voiceId: null,
    listening: { hints: [], language: null, isMultilingual: false, hasBargeIn: true },
    announcement: null,
    hasEndCall: true,
    hasCallTransfer: true,
    transferNumber: null,
    transferCallerId: 'human',
    transferMode: 'cold',
    hasAutoInboundTransfer: false,
    disabledToolNames: [],
    workspaceTools: [],
    missingIntegrations: [],
    hasKnowledge: false,
    limits: { maxDurationMs: 15 * 60_000, silenceMs: 20_000 },
    ...rest,
    prompt: {
      opening: 'Hello Anna, this is Mia from Alpha Dental. Do you have a minute?',
      missingForOpening: [],
      instructions: 'You are Mia.',
      body: 'You are Mia, calling for Alpha Dental. Your goal is to remind Anna of her dental check-up and to offer her a new appointment. Be friendly. Never give medical advice.',
      ...prompt,
      card: {
        personaName: 'Mia',
        businessName: 'Alpha Dental',
        scope: 'Helps patients with appointments, opening hours and prices.',
        tone: 'warm',
        aiDisclosure: 'I am an AI assistant calling for Alpha Dental.',
        ...card,
      },
    },
  };
}

export type MemorySinks = CallSinks & {
  turns: TurnRecord[];
  toolUses: ToolUseRecord[];
  events: { type: string; data: Record<string, unknown> }[];
  extensions: number[];
  transcript(): string;
};

/**
 * Keeps what a conversation reports. `grantedSeconds`: how much of the monthly limit is left. `store` is awaited before
 * something is kept, and may reject: what a slow or failing database does.
 */
export function createMemorySinks(
  options: {
    grantedSeconds?: number | undefined;
    store?: ((what: 'turn' | 'toolUse' | 'event') => Promise<void>) | undefined;
  } = {},
): MemorySinks {
  const turns: TurnRecord[] = [];
  const toolUses: ToolUseRecord[] = [];
  const events: MemorySinks['events'] = [];
  const extensions: number[] = [];
  const later = () => new Promise<void>((resolve) => setImmediate(resolve));
  const { store = later } = options;
  const writer = createOrderedWriter({ maxWaiting: 1_000 });
  const keep =
    <T>(what: 'turn' | 'toolUse' | 'event', list: T[]) =>
    (record: T) =>
      writer.post(() => store(what).then(() => void list.push(record)));
  const event = keep('event', events);
  return {
    turns,
    toolUses,
    events,
    extensions,
    transcript: () => renderTranscript(turns),
    ringing: (atMs) => event({ type: 'ringing', data: { atMs } }),
    answered: (atMs, by) => event({ type: 'answered', data: { atMs, by } }),
    turn: keep('turn', turns),
    toolUse: keep('toolUse', toolUses),
    event: (type, data) => event({ type, data }),
    flush: writer.flush,
    failed: writer.failed,
    extendUsage: async (totalSeconds) => {
      extensions.push(totalSeconds);
      return totalSeconds <= (options.grantedSeconds ?? Number.POSITIVE_INFINITY);
    },
  };
}

export const noKnowledge = async (): Promise<KnowledgeHit[]> => [];
export const noWorkspaceTool: UseWorkspaceTool = () => Promise.reject(new Error('There is no such tool'));
export const silentLog = createLogger('silent');

/** The recording as one buffer; undefined where the call never connected. */
export async function readRecording(result: ConversationResult): Promise<Buffer | undefined> {
  if (!result.recording) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of result.recording.body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** For conversations on legs that speak by themselves. */
export const noLiveAudio = (): never => {
  throw new Error('this test has no live audio');
};

/** Speech without sound: 60 ms per character, so that a test can tell when a word was said. */
export function createSilentSpeech(): SpeechSynthesizer {
  return {
    voices: [
      { id: 'one', label: 'One', language: 'en-US' },
      { id: 'two', label: 'Two', language: 'en-US' },
    ],
    async *synthesize({ text }) {
      yield { samples: new Int16Array(text.length * 60 * 16) };
    },
  };
}

/** A leg on which nothing happens. */
export function silentLeg(reference: string): SpokenLeg {
  const nothing = { heard: '', unheard: '', startedAtMs: 0, endedAtMs: 0, heardMs: 0 };
  return {
    reference,
    clock: { nowMs: () => 0, sleep: async () => {} },
    events: (async function* () {})(),
    answer: async () => {},
    speak: ({ text }) => ({
      started: Promise.resolve(undefined),
      finished: Promise.resolve({ ...nothing, unheard: text }),
    }),
    stopSpeaking: () => {},
    record: () => {},
    hangUp: async () => {},
    transfer: async () => ({ ok: true }),
  };
}
