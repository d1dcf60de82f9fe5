import type { CallClock } from '#lib/ports/clock.ts';
import type { LanguageModel, ModelEvent } from '#lib/ports/language-model.ts';
import { isFatal, type ProviderFailureKind, providerFailureOf } from '#lib/ports/provider-failure.ts';
import { CLEARED } from '../timers.ts';

/** How long a person on the line is kept waiting for a model, in milliseconds of the call clock. */
export const PATIENCE = {
  /** No word by then: the next model is asked beside the first, and whoever speaks first is heard. */
  nextAttemptMs: 2_500,
  /** Nothing else is left to ask: so long for the last one. */
  lastAttemptMs: 4_500,
  /** A model that is seen to think is worth waiting for. */
  workingMs: 12_000,
  /** After so long nobody else is asked, and nobody is waited for. */
  giveUpMs: 15_000,
  /** The longest pause in an answer that has begun. */
  stallMs: 4_000,
  /** Before the same model is asked again after it failed at once. */
  pauseMs: 300,
  /** The longest that is waited for a server which names a time. */
  busyPauseMs: 2_500,
  /** For so long a model that failed is asked only after the other one. */
  shunMs: 60_000,
} as const;

export type AttemptFailure = {
  model: string;
  kind: ProviderFailureKind | 'empty' | 'filtered';
  /** Since this model was asked. */
  afterMs: number;
  /** Who is asked next; null: nobody. */
  next: string | null;
};

/** No model gave an answer, `kind` being what the last one did. */
export class NoAnswer extends Error {
  readonly kind: AttemptFailure['kind'];
  /** Part of an answer came before: it can be asked to go on. */
  readonly hadBegun: boolean;

  constructor(kind: AttemptFailure['kind'], options: { hadBegun: boolean; cause: unknown }) {
    super(`No language model answered: ${kind}`, { cause: options.cause });
    this.name = 'NoAnswer';
    this.kind = kind;
    this.hadBegun = options.hadBegun;
  }
}

type Request = Parameters<LanguageModel['respond']>[0] & {
  signal: AbortSignal;
  /** Nothing at all is an answer too: something was said before. */
  mayBeEmpty: boolean;
};
type Attempt = {
  model: LanguageModel;
  abort: AbortController;
  startedMs: number;
  events: AsyncIterator<ModelEvent>;
  step: Promise<Step>;
  isWorking: boolean;
};
type Step = { attempt: Attempt; event?: ModelEvent; error?: unknown };

/**
 * Asks one model after the other for one answer, as patiently as a person on the line is: a model that gives no word in
 * time is joined by the next one, one that fails is followed by it. The first word decides whose answer it is. Throws
 * `NoAnswer` when none is left, or when the answer stops in the middle.
 */
export function createModelAttempts(options: {
  model: LanguageModel;
  fallback: LanguageModel | undefined;
  clock: CallClock;
  /** Given where what is known of the models outlives one conversation; in milliseconds of the clock. */
  shunnedUntilMs?: Map<LanguageModel, number>;
  onFailure(failure: AttemptFailure): void;
}) {
  const { model, fallback, clock, onFailure, shunnedUntilMs = new Map<LanguageModel, number>() } = options;
  const isShunned = (candidate: LanguageModel) => (shunnedUntilMs.get(candidate) ?? 0) > clock.nowMs();

  function order(): LanguageModel[] {
    if (!fallback) return [model, model];
    return isShunned(model) && !isShunned(fallback) ? [fallback, model] : [model, model, fallback];
  }

  function begin(candidate: LanguageModel, request: Request): Attempt {
    const abort = new AbortController();
    const { mayBeEmpty: _, ...asked } = request;
    const answer = candidate.respond({ ...asked, signal: AbortSignal.any([request.signal, abort.signal]) });
    const attempt: Attempt = {
      model: candidate,
      abort,
      startedMs: clock.nowMs(),
      events: answer[Symbol.asyncIterator](),
      step: Promise.resolve({}) as Promise<never>,
      isWorking: false,
    };
    advance(attempt);
    return attempt;
  }

  /** Reports a failed attempt; gives who is left to ask. */
  function fail(
    attempt: Attempt,
    kind: AttemptFailure['kind'],
    left: LanguageModel[],
    error: unknown,
  ): LanguageModel[] {
    const { retryAfterMs = 0 } = providerFailureOf(error);
    const others = left.filter((candidate) => candidate !== attempt.model);
    const isPointless = isFatal(kind) || kind === 'refused';
    // One that asks to be left alone is asked again only where there is no other.
    const isBusy = retryAfterMs > PATIENCE.busyPauseMs && others.length > 0;
    const rest = isPointless || isBusy ? others : left;
    if (kind !== 'empty' && kind !== 'filtered')
      shunnedUntilMs.set(attempt.model, clock.nowMs() + PATIENCE.shunMs);
    const afterMs = Math.round(clock.nowMs() - attempt.startedMs);
    onFailure({ model: attempt.model.model, kind, afterMs, next: rest[0]?.model ?? null });
    return rest;
  }

  /** Asks until somebody speaks; the attempt that did comes with its first word. */
  async function findSpeaker(
    request: Request,
    running: Set<Attempt>,
  ): Promise<{ speaker: Attempt; first: ModelEvent }> {
    let left = order();
    const giveUpAtMs = clock.nowMs() + PATIENCE.giveUpMs;
    const askNext = () => {
      const next = left.shift();
      if (next) running.add(begin(next, request));
      return next;
    };
    askNext();
    for (;;) {
      const newest = [...running].at(-1);
      const step = await firstStep(
        running,
        waitMs([...running], left.length > 0, giveUpAtMs),
        request.signal,
      );
      if (step === 'late') {
        const late = new NoAnswer('timed_out', { hadBegun: false, cause: undefined });
        if (clock.nowMs() >= giveUpAtMs) left = [];
        if (newest) left = fail(newest, 'timed_out', left, late);
        if (!askNext()) throw late;
        continue;
      }
      const { attempt, event } = step;
      if (event?.type === 'working') attempt.isWorking = true;
      if (event && isAnswer(event, request)) return { speaker: attempt, first: event };
      if (event && event.type !== 'done') {
        advance(attempt);
        continue;
      }
      running.delete(attempt);
      const kind = event
        ? event.finish === 'filtered'
          ? 'filtered'
          : 'empty'
        : providerFailureOf(step.error).kind;
      left = fail(attempt, kind, left, step.error);
      if (running.size > 0) continue;
      if (left[0] === attempt.model) await clock.sleep(pauseMs(step.error), request.signal);
      if (!askNext()) throw new NoAnswer(kind, { hadBegun: false, cause: step.error });
    }
  }

  /** The next thing any attempt does, or `late` after `ms`. Throws the signal's reason at once when it aborts. */
  async function firstStep(
    running: Iterable<Attempt>,
    ms: number,
    signal: AbortSignal,
  ): Promise<Step | 'late'> {
    const timer = new AbortController();
    const late = clock.sleep(ms, AbortSignal.any([signal, timer.signal])).then(
      () => 'late' as const,
      () => 'late' as const,
    );
    const step = await Promise.race([...[...running].map((attempt) => attempt.step), late]);
    timer.abort(CLEARED);
    signal.throwIfAborted();
    return step;
  }

  function waitMs(running: readonly Attempt[], isMoreLeft: boolean, giveUpAtMs: number): number {
    const patienceMs = running.some((attempt) => attempt.isWorking)
      ? PATIENCE.workingMs
      : isMoreLeft
        ? PATIENCE.nextAttemptMs
        : PATIENCE.lastAttemptMs;
    const begunMs = Math.max(...running.map((attempt) => attempt.startedMs));
    return Math.max(0, Math.min(begunMs + patienceMs, giveUpAtMs) - clock.nowMs());
  }

  async function* follow(speaker: Attempt, first: ModelEvent, request: Request): AsyncGenerator<ModelEvent> {
    yield first;
    if (first.type === 'done') return;
    for (;;) {
      advance(speaker);
      const patienceMs = speaker.isWorking ? PATIENCE.workingMs : PATIENCE.stallMs;
      const step = await firstStep([speaker], patienceMs, request.signal);
      const event = step === 'late' ? undefined : step.event;
      if (!event) {
        const error = step === 'late' ? undefined : step.error;
        const kind = step === 'late' ? 'timed_out' : providerFailureOf(error).kind;
        fail(speaker, kind, order(), error);
        throw new NoAnswer(kind, { hadBegun: true, cause: error });
      }
      speaker.isWorking = event.type === 'working';
      if (event.type !== 'working') yield event;
      if (event.type === 'done') {
        shunnedUntilMs.delete(speaker.model);
        return;
      }
    }
  }

  return {
    async *answer(request: Request): AsyncGenerator<ModelEvent> {
      const running = new Set<Attempt>();
      try {
        const { speaker, first } = await findSpeaker(request, running);
        for (const attempt of running) if (attempt !== speaker) giveUp(attempt);
        yield* follow(speaker, first, request);
      } finally {
        for (const attempt of running) giveUp(attempt);
      }
    },
  };
}

function advance(attempt: Attempt): void {
  attempt.step = attempt.events.next().then(
    ({ value, done }) =>
      done ? { attempt, error: new Error('the answer ended without a word') } : { attempt, event: value },
    (error: unknown) => ({ attempt, error }),
  );
}

/** Nobody waits for it: a provider that hangs must not hold up whoever gave it up. */
function giveUp(attempt: Attempt): void {
  attempt.abort.abort(new Error('given up'));
  attempt.events.return?.().catch(() => undefined);
}

function pauseMs(error: unknown): number {
  const { retryAfterMs = PATIENCE.pauseMs } = providerFailureOf(error);
  return Math.min(retryAfterMs, PATIENCE.busyPauseMs);
}

function isAnswer(event: ModelEvent, request: Request): boolean {
  if (event.type === 'text') return event.delta.trim() !== '';
  return (
    event.type === 'tool_call' || (event.type === 'done' && request.mayBeEmpty && event.finish !== 'filtered')
  );
}
