import { createAsyncQueue } from '#lib/async-queue.ts';
import type { AgentReply } from './agent-speech.ts';
import type { Brain, ReplyPiece } from './brain/brain.ts';
import { NoAnswer } from './brain/model-attempts.ts';
import { splitSentences } from './brain/sentences.ts';
import type { CallSession } from './call-session.ts';
import type { CallFailure } from './call-failure.ts';
import { withFillers } from './fillers.ts';
import type { Finish } from './tools/tool.ts';
import type { ToolExecutor } from './tools/tool-executor.ts';
import type { TurnEvent } from './turn-state.ts';
import { within } from './within.ts';

/** A sentence that is being said when the brain fails takes no longer. */
const LAST_SENTENCE_MS = 15_000;
/** So long after words that fill a silence nobody says them again. */
const FILLED_FOR_MS = 3_000;

type Reply = { speech: AgentReply; answer: Answer | undefined; finish: Finish | undefined };

/** A brain's answer in the making, from when it is begun; perhaps before it is sure that it is wanted. */
type Answer = {
  heard: string;
  pieces: AsyncIterable<ReplyPiece>;
  abort: AbortController;
  /** The person's turn is over: tools may be used. */
  confirm(): void;
  onFinish(listener: (finish: Finish) => void): void;
  error(): unknown;
};

/** What the agent says, one reply at a time: a fixed line, or the brain's answer as it is made. */
export type Replies = {
  speakLine(text: string, finish?: Finish): void;
  /** A few words while it is not known what the person said; the reply that was cut short stays the one to go on with. */
  fill(): void;
  /** Lets the brain begin an answer to what may be all that the person says; `think` with the same words speaks it. */
  prepare(heard: string): void;
  /** Lets the brain answer; resolves when its answer is complete, though not yet heard. */
  think(heard: string): Promise<void>;
  cut(): void;
  resume(): void;
  drop(): void;
  /** What the current reply ends with, once it was heard. */
  finish(): Finish | undefined;
  /** Why the agent could not go on, where it could not. */
  failure(): CallFailure | undefined;
  /** Resolves when every turn of the agent was handed over and nothing works on an answer any more. */
  settled(): Promise<void>;
};

export function createReplies(options: {
  session: CallSession;
  brain: Brain;
  tools: ToolExecutor;
  /** Events of a reply that was replaced meanwhile are not posted. */
  post(event: TurnEvent, isCurrent: () => boolean): void;
}): Replies {
  const { session, brain, tools } = options;
  const { log, plan } = session;
  const { lines } = plan.language;
  let current: Reply | undefined;
  let prepared: Answer | undefined;
  let failure: CallFailure | undefined;
  let filledAtMs = Number.NEGATIVE_INFINITY;
  let pending: Promise<unknown> = Promise.resolve();

  function start(answer?: Answer): Reply {
    const post = (event: TurnEvent) => options.post(event, () => current === reply);
    const fail = (error: unknown) => {
      log.error({ callId: plan.callId, err: error }, 'The agent could not speak');
      failure = 'speech';
      session.sinks.event('speech_failed', {});
      post({ type: 'must_close', reason: 'failed' });
    };
    const reply: Reply = {
      answer,
      finish: undefined,
      speech: session.beginReply({
        onAudible: () => post({ type: 'reply_audible' }),
        onFinished: () => post({ type: 'reply_finished' }),
        onFailed: fail,
      }),
    };
    current = reply;
    pending = Promise.all([pending, reply.speech.done]);
    return reply;
  }

  function sayAll(speech: AgentReply, text: string): void {
    for (const sentence of splitSentences(text, plan.language.code)) speech.say(sentence);
    speech.complete();
  }

  function begin(heard: string): Answer {
    const queue = createAsyncQueue<ReplyPiece>();
    const abort = new AbortController();
    const confirmed = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<Finish>();
    // The words before have to be known, as they were heard.
    const before = current?.speech.done;
    let error: unknown;
    async function run(): Promise<void> {
      try {
        if (brain.beginsEarly) await before;
        else await confirmed.promise;
        abort.signal.throwIfAborted();
        let hasWords = false;
        const useTool = (name: string, rawArguments: unknown) => {
          const meanwhile = tools.meanwhile(name);
          // Who has said something already need not fill the silence.
          if (meanwhile !== undefined && !hasWords) queue.push(meanwhile);
          hasWords ||= meanwhile !== undefined;
          return tools.use(name, rawArguments, finish.resolve);
        };
        const turn = { heard, confirmed: confirmed.promise, signal: abort.signal, useTool };
        for await (const piece of brain.respond(turn)) {
          hasWords ||= piece !== '';
          queue.push(piece);
        }
      } catch (thrown) {
        error = thrown;
      }
      queue.close();
    }
    pending = Promise.allSettled([pending, run()]);
    return {
      heard,
      pieces: queue,
      abort,
      confirm: confirmed.resolve,
      onFinish: (listener) => void finish.promise.then(listener),
      error: () => error,
    };
  }

  function dropPrepared(): void {
    prepared?.abort.abort(new Error('not wanted'));
    prepared = undefined;
  }

  async function think(heard: string): Promise<void> {
    if (prepared?.heard !== heard) dropPrepared();
    const answer = prepared ?? begin(heard);
    prepared = undefined;
    const reply = start(answer);
    const { signal } = answer.abort;
    answer.onFinish((finish) => {
      reply.finish = finish;
      options.post({ type: 'reply_closes' }, () => current === reply && !signal.aborted);
    });
    answer.confirm();
    const { clock } = session.leg;
    const isFilled = clock.nowMs() - filledAtMs < FILLED_FOR_MS;
    const spoken = withFillers(answer.pieces, { clock, lines: lines.filler, isFilled, signal });
    for await (const piece of spoken) reply.speech.say(piece);
    const error = answer.error();
    if (signal.aborted) return;
    if (error !== undefined) {
      log.warn({ callId: plan.callId, err: error }, 'The brain gave no answer');
      failure = error instanceof NoAnswer ? error.kind : 'brain';
      // What was begun is said to its end: the apology must not cut it.
      reply.speech.complete();
      await within(reply.speech.done, LAST_SENTENCE_MS, session.leg.clock);
      if (signal.aborted) return;
      options.post({ type: 'must_close', reason: 'failed' }, () => current === reply);
      return;
    }
    if (reply.finish && !reply.speech.hasWords()) {
      reply.speech.say(reply.finish.kind === 'transfer' ? lines.handover : lines.farewell);
    }
    reply.speech.complete();
  }

  return {
    speakLine(text, finish) {
      const reply = start();
      reply.finish = finish;
      sayAll(reply.speech, text);
    },
    fill() {
      filledAtMs = session.leg.clock.nowMs();
      const speech = session.beginReply({});
      pending = Promise.all([pending, speech.done]);
      sayAll(speech, lines.filler.first);
    },
    prepare(heard) {
      if (!brain.beginsEarly || prepared?.heard === heard) return;
      dropPrepared();
      prepared = begin(heard);
    },
    think(heard) {
      const thinking = think(heard);
      pending = Promise.allSettled([pending, thinking]);
      return thinking;
    },
    cut: () => current?.speech.cut(),
    resume: () => current?.speech.resume(),
    drop() {
      dropPrepared();
      current?.answer?.abort.abort(new Error('dropped'));
      current?.speech.drop();
    },
    finish: () => current?.finish,
    failure: () => failure,
    async settled() {
      dropPrepared();
      await pending;
    },
  };
}
