import type { AgentReply } from './agent-speech.ts';
import type { Brain } from './brain/brain.ts';
import { splitSentences } from './brain/sentences.ts';
import type { CallSession } from './call-session.ts';
import { FAREWELL_LINE, HANDOVER_LINE } from './fixed-lines.ts';
import type { Finish } from './tools/tool.ts';
import type { ToolExecutor } from './tools/tool-executor.ts';
import type { TurnEvent } from './turn-state.ts';

type Reply = { speech: AgentReply; abort: AbortController; finish: Finish | undefined };

/** What the agent says, one reply at a time: a fixed line, or the brain's answer as it is made. */
export type Replies = {
  speakLine(text: string, finish?: Finish): void;
  /** Lets the brain answer; resolves when its answer is complete, though not yet heard. */
  think(heard: string): Promise<void>;
  cut(): void;
  resume(): void;
  drop(): void;
  /** What the current reply ends with, once it was heard. */
  finish(): Finish | undefined;
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
  let current: Reply | undefined;
  let pending: Promise<unknown> = Promise.resolve();

  function start(): Reply {
    const post = (event: TurnEvent) => options.post(event, () => current === reply);
    const fail = (error: unknown) => {
      log.error({ callId: plan.callId, err: error }, 'The agent could not speak');
      post({ type: 'must_close', reason: 'failed' });
    };
    const reply: Reply = {
      abort: new AbortController(),
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

  async function think(heard: string): Promise<void> {
    const reply = start();
    const setFinish = (finish: Finish) => {
      reply.finish = finish;
      options.post({ type: 'reply_closes' }, () => current === reply && !reply.abort.signal.aborted);
    };
    const useTool = (name: string, rawArguments: unknown) => tools.use(name, rawArguments, setFinish);
    try {
      const answer = brain.respond({ heard, signal: reply.abort.signal, useTool });
      for await (const piece of answer) reply.speech.say(piece);
    } catch (error) {
      if (reply.abort.signal.aborted) return;
      log.warn({ callId: plan.callId, err: error }, 'The brain gave no answer');
      options.post({ type: 'must_close', reason: 'failed' }, () => current === reply);
      return;
    }
    if (reply.finish && !reply.speech.hasWords()) {
      reply.speech.say(reply.finish.kind === 'transfer' ? HANDOVER_LINE : FAREWELL_LINE);
    }
    reply.speech.complete();
  }

  return {
    speakLine(text, finish) {
      const reply = start();
      reply.finish = finish;
      for (const sentence of splitSentences(text)) reply.speech.say(sentence);
      reply.speech.complete();
    },
    think(heard) {
      const thinking = think(heard);
      pending = Promise.allSettled([pending, thinking]);
      return thinking;
    },
    cut: () => current?.speech.cut(),
    resume: () => current?.speech.resume(),
    drop() {
      current?.abort.abort();
      current?.speech.drop();
    },
    finish: () => current?.finish,
    async settled() {
      await pending;
    },
  };
}
