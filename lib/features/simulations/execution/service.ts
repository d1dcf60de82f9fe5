import { mintWorkspaceId, systemActor } from '#lib/auth/mint.ts';
import type { ConversationHost, RunningConversation } from '#lib/conversation-process/host.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { ConversationResult } from '#lib/engine/plan.ts';
import type { SearchForCall, UseToolForCall } from '#lib/features/calls/execution/runner.ts';
import { planCall } from '#lib/features/calls/execution/plan.ts';
import { createLanguageService } from '#lib/features/languages/service.ts';
import { keepRenewing } from '#lib/heartbeat.ts';
import { describeError } from '#lib/log.ts';
import { checkCriteria } from '../criteria/rules.ts';
import { judgeSentences } from '../judging/service.ts';
import { outcomeOf, type ResultOutcome, type ResultReport } from '../rules.ts';
import { listenTo, playedBy, triedCall, whyNotPlayable } from './conversation.ts';
import {
  type ClaimedResult,
  claimResults,
  completeSimulations,
  endAbandoned,
  endResult,
  findRunSettings,
  releaseResult,
  renewLeases,
} from './repository.ts';

const LOOK_EVERY_MS = 1_000;
const SWEEP_EVERY_MS = 5_000;
/** What a dead process ran is taken by another one after this long. */
const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 4_000;
/** Conversations at a time for each process that runs them: they wait for models, and for their turn. */
const AT_ONCE = 8;
/** A conversation of half an hour takes a model a few minutes; one that takes longer hangs. */
const MOST_MS = 5 * 60_000;
const GOODBYE_MS = 15_000;
const LANGUAGE_PATIENCE_MS = 8_000;

type Ended = { outcome: ResultOutcome; reason: string | null; report: ResultReport | null };

export type SimulationExecution = ReturnType<typeof createSimulationExecution>;

/** Runs the conversations of simulations, behind everything else that the service does. */
export function createSimulationExecution(
  deps: Pick<
    Dependencies,
    'db' | 'clock' | 'ids' | 'log' | 'queue' | 'languageModel' | 'simulationProcesses'
  > & {
    conversationHost: ConversationHost;
    searchForCall: SearchForCall;
    useToolForCall: UseToolForCall;
  },
) {
  const { db, clock, log, languageModel } = deps;
  const host = deps.simulationProcesses ?? deps.conversationHost;
  const languages = createLanguageService(deps);
  const owner = deps.ids.next('simulator');
  const mostAtOnce = AT_ONCE * (deps.simulationProcesses?.counts().wanted ?? 1);
  const running = new Map<string, { stop: AbortController; simulationId: string; done: Promise<void> }>();
  const stopping = new AbortController();
  let looking: Promise<void> | undefined;
  let isWorking = false;

  const leaseEnd = () => new Date(clock.now().getTime() + LEASE_MS);

  /** Begins what waits, as far as there is room. One look at a time; asked for meanwhile, it looks again. */
  function look(): Promise<void> {
    if (!isWorking || stopping.signal.aborted) return Promise.resolve();
    return (looking ??= claim().finally(() => (looking = undefined)));
  }

  async function claim(): Promise<void> {
    const limit = mostAtOnce - running.size;
    if (limit <= 0) return;
    const now = clock.now();
    for (const result of await claimResults(db, { owner, now, until: leaseEnd(), limit })) begin(result);
  }

  function begin(result: ClaimedResult): void {
    const stop = new AbortController();
    const done = run(result, AbortSignal.any([stop.signal, stopping.signal]))
      .catch((error: unknown) =>
        // The database fails: the lease runs out, and another look takes it up again.
        log.error({ event: 'simulation_lost', resultId: result.id, error: describeError(error) }),
      )
      .finally(() => {
        running.delete(result.id);
        look().catch((error: unknown) =>
          log.error({ event: 'simulation_look_failed', error: describeError(error) }),
        );
      });
    running.set(result.id, { stop, simulationId: result.simulationId, done });
  }

  async function run(result: ClaimedResult, signal: AbortSignal): Promise<void> {
    const workspaceId = mintWorkspaceId(result.workspaceId);
    const ended = await converse(result, signal).catch((error: unknown): Ended | 'again' => {
      const isLost = error instanceof Error && error.name === 'ConversationLost';
      if (signal.aborted || isLost) return 'again';
      log.warn({ event: 'simulation_broken', resultId: result.id, error: describeError(error) });
      return broken(
        `The conversation could not be run: ${error instanceof Error ? error.message : 'unknown'}`,
      );
    });
    if (ended === 'again') {
      // Cancelled results are nobody's any more; what a stop leaves is not to count as a fault.
      await releaseResult(db, workspaceId, { id: result.id, owner, isFault: !signal.aborted });
      return;
    }
    await endResult(db, workspaceId, { id: result.id, owner, ...ended, endedAt: clock.now() });
    await completeSimulations(db, { simulationId: result.simulationId, at: clock.now() });
  }

  async function converse(result: ClaimedResult, signal: AbortSignal): Promise<Ended> {
    const { content } = result;
    const hasLanguageModel = languageModel !== undefined;
    const workspaceId = mintWorkspaceId(result.workspaceId);
    const refusal = whyNotPlayable(content, hasLanguageModel);
    if (refusal) return broken(refusal);
    const settings = await findRunSettings(db, workspaceId, result.simulationId);
    if (!settings) return broken('The simulation was deleted.');
    const planned = await planCall(db, workspaceId, triedCall(result, settings), {
      ids: deps.ids,
      startedAt: clock.now(),
      hasLanguageModel,
      speak: (language) => languages.speak(language, LANGUAGE_PATIENCE_MS),
      // Tried before it is switched on, or while it is off.
      settle: (parts) => ({ ...parts, agent: { ...parts.agent, isActive: true } }),
    });
    if (!planned.ok) return broken(planned.reason);

    const startedAt = clock.now().getTime();
    const actor = systemActor(result.workspaceId, 'simulation');
    const { client, observed } = listenTo(content, (use) => deps.useToolForCall(actor, use, planned.plan));
    await host.ready(signal);
    const hung = new AbortController();
    const order = {
      plan: planned.plan,
      carrier: 'simulated',
      opening: content.direction === 'INBOUND' ? 'answer' : 'dial',
      // Another attempt is another call.
      reference: `${result.id}.${result.attempts}`,
      played: { person: content.caller, hasSound: settings.mode === 'audio' },
    } as const;
    const talk = host.run(order, {
      ...client,
      searchKnowledge: (query) => deps.searchForCall(actor, settings.agentId, query),
      signal: AbortSignal.any([signal, hung.signal]),
    });
    const ending = await inTime(talk, hung);
    signal.throwIfAborted();
    const seen = observed(ending);
    const checked = checkCriteria(content.criteria, seen);
    const verdicts = await judgeSentences(languageModel, seen, { verdicts: checked, signal });
    const tookMs = clock.now().getTime() - startedAt;
    const report: ResultReport = {
      ...seen,
      verdicts,
      playedBy: playedBy(content, hasLanguageModel),
      answeredBy: hasLanguageModel ? 'model' : 'rules',
      tookMs,
    };
    return { outcome: outcomeOf(verdicts), reason: null, report };
  }

  /** How the conversation ended; one that hangs is asked to end, and then left alone. */
  async function inTime(talk: RunningConversation, hung: AbortController): Promise<ConversationResult> {
    const over = new AbortController();
    const limit = clock
      .sleep(MOST_MS, over.signal)
      .then(() => hung.abort(new Error('The conversation took too long')))
      .then(() => clock.sleep(GOODBYE_MS, over.signal))
      .then(() => Promise.reject(new Error('it took longer than five minutes')));
    limit.catch(() => undefined);
    talk.asked.catch(() => undefined);
    try {
      const result = await Promise.race([talk.result, limit]);
      for await (const _ of result.recording?.body ?? []) break;
      if (hung.signal.aborted) throw new Error('it took longer than five minutes');
      return result;
    } finally {
      over.abort(new Error('it is over'));
      await talk.forget().catch(() => undefined);
    }
  }

  async function renew(): Promise<void> {
    if (running.size === 0) return;
    const own = await renewLeases(db, { owner, until: leaseEnd() });
    for (const [id, { stop }] of running) if (!own.has(id)) stop.abort(new Error('cancelled'));
  }

  async function sweep(): Promise<void> {
    await endAbandoned(db, clock.now());
    await completeSimulations(db, { at: clock.now() });
  }

  return {
    look,
    sweep,

    /** Ends the conversations of a simulation that this process runs. */
    cancel(simulationId: string): void {
      for (const each of running.values())
        if (each.simulationId === simulationId) each.stop.abort(new Error('cancelled'));
    },

    async start(): Promise<void> {
      isWorking = true;
      void keepRenewing(stopping.signal, {
        clock,
        everyMs: RENEW_EVERY_MS,
        renew,
        onError: (error) => log.error({ event: 'simulation_lease', error: describeError(error) }),
      });
      await deps.queue.every('simulations.look', LOOK_EVERY_MS, look, { on: 'each' });
      await deps.queue.every('simulations.sweep', SWEEP_EVERY_MS, sweep);
    },

    /** Gives back what it runs, for the next process to begin anew. */
    async stop(): Promise<void> {
      stopping.abort(new Error('the service is stopping'));
      await looking?.catch(() => undefined);
      await Promise.all([...running.values()].map(({ done }) => done));
      await deps.simulationProcesses?.stop();
    },
  };
}

function broken(reason: string): Ended {
  return { outcome: 'broken', reason, report: null };
}
