import { createBrowserCarrier } from '#lib/adapters/carriers/browser/carrier.ts';
import { createSipCarrier } from '#lib/adapters/carriers/sip/open.ts';
import { openTwilioCarrier } from '#lib/adapters/carriers/twilio/open.ts';
import { createSimulatedCarrier } from '#lib/adapters/carriers/simulated/carrier.ts';
import { createPlayedLeg, tellOfPlaying } from '#lib/adapters/carriers/simulated/played-person.ts';
import { prepareSimulated } from '#lib/adapters/carriers/simulated/prepare-conversation.ts';
import { createOpenAiLanguageModel } from '#lib/adapters/models/openai/language-model.ts';
import { createOpenAiRealtimeModel, REALTIME_VOICES } from '#lib/adapters/models/openai/realtime-model.ts';
import { createOpenAiSpeech, OPENAI_VOICES } from '#lib/adapters/models/openai/speech.ts';
import { createOpenAiTranscriber } from '#lib/adapters/models/openai/transcription-found.ts';
import { createSpeechWithFallback } from '#lib/adapters/models/speech-fallback.ts';
import { createTranscriberWithFallback } from '#lib/adapters/models/transcription-fallback.ts';
import { createLeveledSpeech } from '#lib/adapters/models/speech-level.ts';
import { createFliteSpeech } from '#lib/adapters/models/local/speech-flite.ts';
import { monotonicClock, systemClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import type {
  ConversationParts,
  Conversations,
  HearCarrierState,
} from '#lib/conversation-process/conversations.ts';
import { hearAnswer, TRANSFER_ANSWERED } from '#lib/conversation-process/conversations.ts';
import type { ConversationOrder, DeclinedLine } from '#lib/conversation-process/protocol.ts';
import { openHeardLeg } from '#lib/engine/heard-leg.ts';
import { listen } from '#lib/engine/listening/listening.ts';
import { runConversation, type RunConversationOptions } from '#lib/engine/run-conversation.ts';
import { openSpokenLeg } from '#lib/engine/spoken-leg.ts';
import type { Env } from '#lib/env.ts';
import { describeError, type Logger } from '#lib/log.ts';
import { createPacer } from '#lib/media/pacer.ts';
import type { BrowserCarrier } from '#lib/ports/browser-carrier.ts';
import { CARRIER_KINDS, type CarrierKind } from '#lib/ports/carrier-kinds.ts';
import type { Leg, TakeIncoming } from '#lib/ports/carrier.ts';

type Lines = Pick<ConversationParts, 'carriers' | 'simulateCaller'>;

/*
 * What a process needs to run conversations, and nothing else of the service: this is loaded by processes that hold no
 * database and render no page.
 */

/** Speech, language and carriers: what a call is run with. */
export function openModels(
  env: Env,
  log: Logger,
  speech: ConversationParts['speech'] = createFliteSpeech(),
): ConversationParts {
  const { openai } = env;
  const languageModel = openai && createOpenAiLanguageModel({ ...openai, model: openai.chatModel });
  const fallbackModel = openai?.fallbackModel
    ? createOpenAiLanguageModel({ ...openai, model: openai.fallbackModel })
    : undefined;
  const transcriber = openTranscriber(env);
  const voices = withProviderSpeech(env, log, speech);
  const realtime = openRealtime(env);
  return {
    speech: realtime
      ? { ...voices, voices: withoutTwins([...realtime.model.voices, ...voices.voices]) }
      : voices,
    realtime,
    languageModel,
    fallbackModel,
    transcriber,
    openSpokenLeg(leg, listening, call) {
      const ears = transcriber?.isMissing?.() ? undefined : transcriber;
      return openSpokenLeg(leg, {
        transcriber: call ? call.hear(ears) : ears,
        speech: call ? call.speak(voices) : voices,
        listening,
        listen,
      });
    },
    browser: openBrowser({ transcriber, realtime }, log),
    playPerson(call, model) {
      const ears = transcriber?.isMissing?.() ? undefined : transcriber;
      const deps = { speech: voices, clock: systemClock, languageModel: model, transcriber: ears };
      const leg = createPlayedLeg(call, deps);
      return leg.hearing ? openHeardLeg(leg, { ...leg.hearing, listening: call.listening, listen }) : leg;
    },
    ...withTwilio(
      env,
      log,
      withSip(env, log, openCarriers({ speed: env.simulationSpeed, speech, clock: systemClock })),
    ),
  };
}

function withSip({ sip }: Env, log: Logger, { carriers, ...rest }: Lines): Lines {
  if (!sip) return { carriers, ...rest };
  const deps = { clock: monotonicClock, ids: systemIds, log };
  return { carriers: { ...carriers, sip: createSipCarrier(sip, deps) }, ...rest };
}

function withTwilio({ twilio, publicUrl }: Env, log: Logger, { carriers, ...rest }: Lines): Lines {
  if (!twilio) return { carriers, ...rest };
  const deps = { clock: systemClock, callClock: monotonicClock, log };
  return { carriers: { ...carriers, twilio: openTwilioCarrier({ ...twilio, publicUrl }, deps) }, ...rest };
}

/** The model that hears and speaks; undefined where a cascade of models does. */
function openRealtime({ openai }: Env): ConversationParts['realtime'] {
  if (!openai?.realtimeModel || !openai.transcription) return undefined;
  const model = createOpenAiRealtimeModel({
    ...openai,
    model: openai.realtimeModel,
    voices: openai.speechVoices.length > 0 ? openai.speechVoices : REALTIME_VOICES,
    transcriptionModel: openai.transcription.model,
  });
  return { model, kept: new Map() };
}

/** A server's voices speak in both of its models under one name. */
function withoutTwins<Voice extends { id: string }>(voices: readonly Voice[]): Voice[] {
  return voices.filter(({ id }, index) => voices.findIndex((voice) => voice.id === id) === index);
}

/** What turns speech into words; undefined where no server is configured for it. */
function openTranscriber({ openai }: Env): ConversationParts['transcriber'] {
  if (!openai?.transcription) return undefined;
  const { model, ways, fallbackModel } = openai.transcription;
  const first = createOpenAiTranscriber({ ...openai, model, ways, clock: systemClock });
  if (!fallbackModel) return first;
  // By requests: a connection of its own for each call would cost as much as the first model's, and rarely be needed.
  const fallback = { ...openai, model: fallbackModel, ways: ['batch'] as const, clock: systemClock };
  return createTranscriberWithFallback({
    first,
    second: createOpenAiTranscriber(fallback),
    clock: systemClock,
  });
}

/** The voices of the configured server in front of the local ones, which speak where it fails. */
function withProviderSpeech(
  env: Env,
  log: Logger,
  local: ConversationParts['speech'],
): ConversationParts['speech'] {
  const { openai } = env;
  if (!openai?.speechModel) return local;
  const voices = openai.speechVoices.length > 0 ? openai.speechVoices : OPENAI_VOICES;
  const provider = createOpenAiSpeech({ ...openai, model: openai.speechModel, voices });
  const speech = createSpeechWithFallback({
    provider: createLeveledSpeech(provider),
    local,
    clock: systemClock,
    onFailed: (error) => log.warn({ event: 'speech_failed', error: describeError(error) }),
  });
  return { ...speech, close: local.close };
}

export function openCarriers(options: Parameters<typeof createSimulatedCarrier>[0]): Lines {
  const simulated = createSimulatedCarrier(options);
  return { carriers: { simulated }, simulateCaller: simulated.callIn };
}

function openBrowser(
  { transcriber, realtime }: Pick<ConversationParts, 'transcriber' | 'realtime'>,
  log: Logger,
): BrowserCarrier {
  const pacer = createPacer({
    clock: monotonicClock,
    onFailed: (error) => log.error({ event: 'stream_failed', error: describeError(error) }),
  });
  return createBrowserCarrier({
    pacer,
    callClock: monotonicClock,
    clock: systemClock,
    async understandsSpeech() {
      if (realtime) return true;
      await transcriber?.find?.();
      return transcriber !== undefined && !transcriber.isMissing?.();
    },
  });
}

/** Carriers, models and engine, put together. */
export function createConversations(
  deps: ConversationParts & Pick<RunConversationOptions, 'ids' | 'log'>,
): Conversations {
  const { carriers } = deps;

  async function answer({ plan, carrier, reference }: ConversationOrder): Promise<Leg> {
    if (carrier === 'simulated') return deps.simulateCaller({ reference, from: plan.humanPhoneNumber });
    if (carrier === 'browser') return deps.browser.open(reference, plan.direction);
    const pickUp = carriers[carrier]?.pickUp;
    if (!pickUp) throw new Error(`Nobody calls in over the carrier ${carrier}`);
    return pickUp(reference);
  }

  async function decline({ carrier, reference }: DeclinedLine): Promise<void> {
    const line =
      carrier === 'browser'
        ? deps.browser.open(reference, 'INBOUND')
        : carriers[carrier]?.pickUp?.(reference);
    await (await line)?.hangUp();
  }

  async function listen(
    takeFrom: (carrier: CarrierKind) => TakeIncoming,
    onState: HearCarrierState,
  ): Promise<void> {
    await Promise.all(
      CARRIER_KINDS.map(async (kind) =>
        carriers[kind]?.listen?.(takeFrom(kind), (state) => onState(kind, state)),
      ),
    );
  }

  async function dial({ plan, carrier, reference }: ConversationOrder): Promise<Leg> {
    const dialling = carriers[carrier];
    if (!dialling) throw new Error(`The carrier ${carrier} is not set up`);
    return dialling.dial({ reference, from: plan.agentPhoneNumber, to: plan.humanPhoneNumber });
  }

  /** Calls over the carrier of the call, after the fence; a line without sound cannot be connected with another. */
  function reachOver(
    conversation: Parameters<Conversations['run']>[0],
  ): RunConversationOptions['reachColleague'] {
    const { carrier, plan, leg, beginTransfer } = conversation;
    const dialling = carriers[carrier];
    if (!dialling || !('media' in leg)) return undefined;
    return async ({ to, callerId }) => {
      const reference = await beginTransfer(to);
      if (reference === undefined) return undefined;
      const called = await dialling.dial({
        reference,
        from: callerId,
        to,
        ownNumber: plan.agentPhoneNumber,
      });
      if (!('media' in called)) return undefined;
      return hearAnswer(called, () =>
        conversation.sinks.event(TRANSFER_ANSWERED, { reference, line: called.trace?.() }),
      );
    };
  }

  function play(order: ConversationOrder, played: NonNullable<ConversationOrder['played']>): Leg {
    if (!deps.playPerson) throw new Error('Nobody can be played here');
    const { direction, listening, voiceId } = order.plan;
    const call = { reference: order.reference, isInbound: direction === 'INBOUND', listening, voiceId };
    return deps.playPerson({ ...call, ...played }, deps.languageModel);
  }

  return {
    carriers: CARRIER_KINDS.filter((kind) => carriers[kind]),
    async open(order) {
      if (order.played) {
        if (order.played.hasSound) await deps.transcriber?.find?.();
        return play(order, order.played);
      }
      // Whether anybody is understood has to be known before the agent speaks.
      const isKnown = order.carrier === 'simulated' ? undefined : deps.transcriber?.find?.();
      const [leg] = await Promise.all([order.opening === 'dial' ? dial(order) : answer(order), isKnown]);
      return leg;
    },
    async run(conversation) {
      const result = await runConversation(
        prepareSimulated({
          ...deps,
          ...conversation,
          reachColleague: reachOver(conversation),
          voices: deps.speech.voices,
          clock: systemClock,
        }),
      );
      await tellOfPlaying(conversation.leg, { result, sinks: conversation.sinks });
      return result;
    },
    lookup: async (carrier, reference, placed) => carriers[carrier]?.lookup(reference, placed) ?? 'unknown',
    tell: async (carrier, reference, news) => carriers[carrier]?.receive?.(reference, news),
    async connect(carrier, callId, connection) {
      if (carrier === 'browser') return deps.browser.connect(callId, connection);
      const connect = carriers[carrier]?.connect;
      if (!connect) throw new Error(`The carrier ${carrier} takes no connections`);
      return connect(callId, connection);
    },
    listen,
    decline,
    async close() {
      for (const kind of CARRIER_KINDS) await carriers[kind]?.close?.();
      await deps.speech.close();
    },
  };
}
