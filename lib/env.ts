import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { parseAllowlist } from '#lib/outgoing/allowlist.ts';
import { NUMBER_CARRIERS } from '#lib/ports/carrier-kinds.ts';
import { readSipSettings } from './sip-settings.ts';

const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
/** `twilio:1,sip:20` as calls per second by carrier. */
const rates = list.transform((parts, context) => {
  const found: Record<string, number> = {};
  for (const part of parts) {
    const [carrier = '', value = ''] = part.split(':').map((side) => side.trim());
    const rate = Number(value);
    if (!NUMBER_CARRIERS.some((known) => known === carrier) || !(rate >= 0.01 && rate <= 1000)) {
      context.addIssue(
        `'${part}' is not a carrier (${NUMBER_CARRIERS.join(', ')}) with its calls per second (0.01 to 1000), as in twilio:1`,
      );
    }
    found[carrier] = rate;
  }
  return found;
});
/** What the queue and listening take of a process's connections to PostgreSQL. */
const QUEUE_CONNECTIONS = 4;
const LISTENING_CONNECTIONS = 1;
/** It looks at the server's state, whatever holds the others up. */
const PROBE_CONNECTIONS = 1;
const OTHER_CONNECTIONS = QUEUE_CONNECTIONS + LISTENING_CONNECTIONS + PROBE_CONNECTIONS;
const MIN_CONNECTIONS = OTHER_CONNECTIONS + 2;

const STORAGE_URL = /^(?:file:.+|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/\w[\w.-]*)*\/?)$/;
const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));
const model = (name: string) => z.string().min(1).default(name);

const schema = z
  .object({
    NODE_ENV: z.string().optional(),
    PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
    HOST: z.string().min(1).default('127.0.0.1'),
    PUBLIC_URL: url.optional(),
    DATA_DIR: z
      .string()
      .min(1)
      .default('./data')
      .refine(canBeFolder, 'is not a folder, or lies in what is none'),
    DATABASE_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://')
      .optional(),
    DATABASE_DIRECT_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://')
      .optional(),
    DATABASE_CONNECTIONS: z.coerce.number().int().min(MIN_CONNECTIONS).max(1000).default(12),
    // Between two copies of the embedded database; 0: none are taken.
    DATABASE_COPY_MINUTES: z.coerce.number().min(0).max(1440).default(10),
    ROLE: z.enum(['all', 'web', 'worker']).default('all'),
    STORAGE_URL: z.string().optional(),
    S3_ENDPOINT: url.optional(),
    AWS_REGION: z.string().min(1).optional(),
    PROVISION_FILE: z.string().min(1).optional(),
    OPENAI_API_KEY: z.string().min(1).optional(),
    OPENAI_BASE_URL: url.optional(),
    CHAT_MODEL: model('gpt-5.4-mini'),
    CHAT_MODEL_FALLBACK: z.string().min(1).optional(),
    EMBEDDING_MODEL: model('text-embedding-3-large'),
    REALTIME_MODEL: z.string().min(1).optional(),
    SPEECH_MODEL: model('gpt-4o-mini-tts'),
    SPEECH_VOICES: list,
    TRANSCRIPTION_MODEL: z.string().min(1).optional(),
    TRANSCRIPTION_MODEL_FALLBACK: z.string().min(1).optional(),
    TRANSCRIPTION_MODE: z.enum(['auto', 'realtime', 'batch']).default('auto'),
    SIMULATION_SPEED: z.coerce.number().min(0).max(1000).default(1),
    CALLS_PER_SECOND: rates,
    CHAT_TOKENS_PER_DAY: z.coerce.number().int().min(0).default(20_000_000),
    CONVERSATION_PROCESSES: z.coerce.number().int().min(0).max(64).optional(),
    TWILIO_ACCOUNT_SID: z
      .string()
      .regex(/^AC[0-9a-zA-Z]+$/, 'must be the SID of an account, which begins with AC')
      .optional(),
    TWILIO_AUTH_TOKEN: z.string().min(1).optional(),
    TWILIO_API_BASE: url.optional(),
    TWILIO_MACHINE_DETECTION: z.stringbool().default(true),
    SIP_LISTEN: list,
    SIP_TRUNK_URI: z.string().optional(),
    SIP_TRUNK_USERNAME: z.string().optional(),
    SIP_TRUNK_PASSWORD: z.string().optional(),
    SIP_TRUNK_REALM: list,
    SIP_TRUNK_REGISTER: z.stringbool().default(false),
    SIP_MEDIA_IP: z.string().optional(),
    SIP_ALLOWED_PEERS: list,
    SIP_TLS_CERT: z.string().optional(),
    SIP_TLS_KEY: z.string().optional(),
    RTP_PORTS: z.string().default('20000-29999'),
    WEBHOOK_ALLOWLIST: list,
    RATE_LIMIT_PER_SECOND: z.coerce.number().min(1).max(1_000_000).default(600),
    TRUSTED_PROXIES: list,
    OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
    METRICS_TOKEN: z.string().min(16, 'must be at least 16 characters').optional(),
    SECURITY_CONTACT: z
      .string()
      .regex(/^(mailto:|tel:|https:\/\/)\S+$/, 'must begin with mailto:, tel: or https://')
      .optional(),
    AUTH_SECRET: z.string().min(32, 'must be at least 32 characters').optional(),
    KEEP_ALIVE_SECONDS: z.coerce.number().int().min(1).max(3_600).default(75),
    DRAIN_SECONDS: z.coerce.number().int().min(0).max(86_400).default(10),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  })
  .superRefine((value, context) => {
    const problem = (variable: string, message: string) =>
      context.addIssue({ code: 'custom', path: [variable], message });
    if (value.ROLE !== 'all' && !value.DATABASE_URL) {
      problem('ROLE', `'${value.ROLE}' needs DATABASE_URL: the embedded database serves one process only`);
    }
    if (value.DATABASE_DIRECT_URL && !value.DATABASE_URL)
      problem('DATABASE_DIRECT_URL', 'has no effect without DATABASE_URL');
    try {
      parseAllowlist(value.WEBHOOK_ALLOWLIST);
    } catch (error) {
      problem('WEBHOOK_ALLOWLIST', error instanceof Error ? error.message : String(error));
    }
    if (value.STORAGE_URL !== undefined && !STORAGE_URL.test(value.STORAGE_URL)) {
      problem('STORAGE_URL', 'must be file:/a/folder or s3://bucket/prefix');
    }
    if ((value.TWILIO_ACCOUNT_SID === undefined) !== (value.TWILIO_AUTH_TOKEN === undefined))
      problem('TWILIO_ACCOUNT_SID', 'and TWILIO_AUTH_TOKEN are given together, or neither is');
    if (value.TWILIO_API_BASE !== undefined && value.TWILIO_ACCOUNT_SID === undefined)
      problem('TWILIO_API_BASE', 'has no effect without TWILIO_ACCOUNT_SID');
    if (value.REALTIME_MODEL !== undefined) checkRealtime(value, problem);
    readSipSettings(value, problem);
  });

type ServerSettings = {
  OPENAI_API_KEY?: string | undefined;
  OPENAI_BASE_URL?: string | undefined;
  TRANSCRIPTION_MODEL?: string | undefined;
};

function checkRealtime(value: ServerSettings, problem: (variable: string, message: string) => void): void {
  if (!value.OPENAI_API_KEY && !value.OPENAI_BASE_URL)
    problem('REALTIME_MODEL', 'needs OPENAI_API_KEY or OPENAI_BASE_URL: a server that has the model');
  if (value.TRANSCRIPTION_MODEL === 'none')
    problem(
      'TRANSCRIPTION_MODEL',
      "'none' does not go with REALTIME_MODEL: turns and transcripts need words",
    );
}

/** More than this hold no more calls than a process takes from the queue. */
const MOST_USUAL_PROCESSES = 8;

/** How many processes run conversations where nobody says: one core is left for everything else. */
export function usualProcesses(cores: number): number {
  return Math.min(MOST_USUAL_PROCESSES, Math.max(1, cores - 1));
}

/**
 * Which model turns speech into words, and how it is reached: over a connection while somebody speaks, which OpenAI has
 * and servers whose model is made for it, or by requests, which every server has; in the order in which they are tried.
 * Undefined where it is switched off.
 */
function transcriptionOf(value: {
  OPENAI_BASE_URL?: string | undefined;
  TRANSCRIPTION_MODEL?: string | undefined;
  TRANSCRIPTION_MODEL_FALLBACK?: string | undefined;
  TRANSCRIPTION_MODE: 'auto' | 'realtime' | 'batch';
}) {
  const isOpenAi = value.OPENAI_BASE_URL === undefined;
  const model = value.TRANSCRIPTION_MODEL ?? (isOpenAi ? 'gpt-live-transcribe' : 'whisper-1');
  if (model === 'none') return undefined;
  const isMadeForStreams = /live|realtime/i.test(model);
  const automatic = isOpenAi || isMadeForStreams ? (['realtime', 'batch'] as const) : (['batch'] as const);
  const ways = value.TRANSCRIPTION_MODE === 'auto' ? automatic : [value.TRANSCRIPTION_MODE];
  return { model, ways, fallbackModel: value.TRANSCRIPTION_MODEL_FALLBACK };
}

function twilioOf(value: {
  TWILIO_ACCOUNT_SID?: string | undefined;
  TWILIO_AUTH_TOKEN?: string | undefined;
  TWILIO_API_BASE?: string | undefined;
  TWILIO_MACHINE_DETECTION: boolean;
}) {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken } = value;
  if (!accountSid || !authToken) return undefined;
  return {
    accountSid,
    authToken,
    apiBase: value.TWILIO_API_BASE ?? 'https://api.twilio.com',
    detectsMachines: value.TWILIO_MACHINE_DETECTION,
  };
}

/** A folder, or a bucket with what stands before each key (lib/adapters/storage). */
function storageOf(
  address: string,
  value: { S3_ENDPOINT?: string | undefined; AWS_REGION?: string | undefined },
) {
  if (address.startsWith('file:'))
    return { kind: 'file' as const, folder: resolve(address.slice('file:'.length)) };
  const [bucket = '', ...prefix] = address.slice('s3://'.length).replace(/\/+$/, '').split('/');
  return {
    kind: 's3' as const,
    bucket,
    prefix: prefix.join('/'),
    endpoint: value.S3_ENDPOINT,
    region: value.AWS_REGION,
  };
}

/** Whether there is a folder, or one can be made. */
function canBeFolder(path: string): boolean {
  const whole = resolve(path);
  const found = statSync(whole, { throwIfNoEntry: false });
  return found ? found.isDirectory() : whole === dirname(whole) || canBeFolder(dirname(whole));
}

function openaiOf(value: z.output<typeof schema>) {
  if (!value.OPENAI_API_KEY && !value.OPENAI_BASE_URL) return undefined;
  return {
    apiKey: value.OPENAI_API_KEY ?? 'none',
    baseUrl: value.OPENAI_BASE_URL,
    chatModel: value.CHAT_MODEL,
    fallbackModel: value.CHAT_MODEL_FALLBACK,
    /** Undefined: a cascade of transcription, chat model and speech. */
    realtimeModel: value.REALTIME_MODEL,
    embeddingModel: value.EMBEDDING_MODEL,
    /** Undefined: the local voices are to speak. */
    speechModel: value.SPEECH_MODEL === 'local' ? undefined : value.SPEECH_MODEL,
    speechVoices: value.SPEECH_VOICES,
    transcription: transcriptionOf(value),
  };
}

export type Env = ReturnType<typeof parseEnv>;

/**
 * Reads the process environment once, at start (docs/configuration.md lists every variable). An empty
 * variable counts as unset. Throws an Error whose message names every wrong variable.
 */
export function parseEnv(source: Record<string, string | undefined>) {
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = schema.safeParse(given);
  const wrong = result.success
    ? []
    : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  if (!result.success) {
    throw new Error(
      `Callwright cannot start with this environment.\n${wrong.map((line) => `  ${line}`).join('\n')}`,
    );
  }
  const value = result.data;
  const dataDir = resolve(value.DATA_DIR);
  return {
    production: value.NODE_ENV !== 'development',
    port: value.PORT,
    host: value.HOST,
    publicUrl: value.PUBLIC_URL ?? `http://localhost:${value.PORT}`,
    dataDir,
    databaseUrl: value.DATABASE_URL,
    /** The server itself, where `databaseUrl` leads to a pooler. */
    databaseDirectUrl: value.DATABASE_DIRECT_URL,
    databaseConnections: {
      statements: value.DATABASE_CONNECTIONS - OTHER_CONNECTIONS,
      queue: QUEUE_CONNECTIONS,
    },
    databaseCopyMs: value.DATABASE_COPY_MINUTES * 60_000,
    role: value.ROLE,
    storage: storageOf(value.STORAGE_URL ?? `file:${dataDir}/storage`, value),
    provisionFile: value.PROVISION_FILE,
    /** Undefined: agents are run, heard and spoken locally. */
    openai: openaiOf(value),
    simulationSpeed: value.SIMULATION_SPEED,
    callsPerSecond: value.CALLS_PER_SECOND,
    chatTokensPerDay: value.CHAT_TOKENS_PER_DAY,
    conversationProcesses: value.CONVERSATION_PROCESSES ?? usualProcesses(availableParallelism()),
    /** Undefined: no calls over Twilio. */
    twilio: twilioOf(value),
    /** Undefined: no calls over SIP. */
    sip: readSipSettings(value, () => undefined),
    webhookAllowlist: value.WEBHOOK_ALLOWLIST,
    rateLimitPerSecond: value.RATE_LIMIT_PER_SECOND,
    trustedProxies: value.TRUSTED_PROXIES,
    /** Undefined: nobody wants traces. */
    otlpEndpoint: value.OTEL_EXPORTER_OTLP_ENDPOINT,
    /** Undefined: nobody may ask for figures. */
    metricsToken: value.METRICS_TOKEN,
    securityContact: value.SECURITY_CONTACT,
    authSecret: value.AUTH_SECRET,
    /** How long a connection without a request stays open. */
    keepAliveMs: value.KEEP_ALIVE_SECONDS * 1000,
    /** How long calls in progress may go on at a stop before they are asked to say goodbye. */
    drainMs: value.DRAIN_SECONDS * 1000,
    logLevel: value.LOG_LEVEL,
  };
}
