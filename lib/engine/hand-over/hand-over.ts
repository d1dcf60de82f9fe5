import type { MediaLeg, SpokenLeg } from '#lib/ports/carrier.ts';
import type { ListeningOptions } from '#lib/ports/speech.ts';
import type { CallPlan } from '../plan.ts';
import type { Finish } from '../tools/tool.ts';
import { briefingFor } from './briefing.ts';
import { connectBoth } from './connect-both.ts';
import { consult } from './consult.ts';
import { playHoldTone } from './hold-tone.ts';

/** Calls somebody; undefined where nobody may be called. The call is placed once, whatever comes of it. */
export type ReachColleague = (request: { to: string; callerId: string }) => Promise<MediaLeg | undefined>;

export type HandedOver =
  /** `isTold`: `onConnected` was called. */
  { ok: true; mode: 'cold' | 'warm'; isTold: boolean } | { ok: false; reason: string; mode: 'cold' | 'warm' };

/**
 * Hands the person over. A cold transfer is the carrier's; in a warm one the agent calls the other party, says what it is
 * about and connects both: then it resolves when either of them has hung up. `onConnected` is called when somebody else
 * talks with the person. `signal` aborts when the call is over.
 */
export type HandOver = (
  transfer: Extract<Finish, { kind: 'transfer' }>,
  call: { signal: AbortSignal; onConnected(): void },
) => Promise<HandedOver>;

export function createHandOver(options: {
  plan: CallPlan;
  leg: SpokenLeg;
  openSpokenLeg(leg: MediaLeg, listening: ListeningOptions): SpokenLeg;
  reachColleague?: ReachColleague | undefined;
  /** What the person said last that was more than a word. */
  lastWords(): string | undefined;
}): HandOver {
  const { plan, leg, reachColleague } = options;

  async function handOverWarm(
    transfer: Parameters<HandOver>[0],
    call: Parameters<HandOver>[1],
    reach: ReachColleague,
    line: NonNullable<SpokenLeg['line']>,
  ): Promise<HandedOver> {
    // What the person says meanwhile is said to nobody.
    line.onSound(() => undefined);
    const hold = playHoldTone(line, leg.clock);
    const failed = (reason: string): HandedOver => {
      line.onSound(undefined);
      return { ok: false, mode: 'warm', reason };
    };
    try {
      const reached = await reach(transfer).catch(() => undefined);
      if (!reached) return failed('nobody could be called');
      const colleague = options.openSpokenLeg(reached, plan.listening);
      // What was played there is let go of as it is recorded; nobody keeps it.
      colleague.record(() => undefined);
      const answer = await consult(colleague, {
        briefing: briefingFor(plan, transfer.reason ?? options.lastWords()),
        plan,
        signal: call.signal,
      });
      if (!answer.ok) return failed(answer.reason);
      hold.stop();
      call.onConnected();
      await connectBoth({ colleague, line, hungUp: answer.hungUp, signal: call.signal });
      return { ok: true, mode: 'warm', isTold: true };
    } finally {
      hold.stop();
    }
  }

  return async (transfer, call) => {
    const { to, callerId, reason } = transfer;
    if (plan.transferMode === 'warm' && reachColleague && leg.line)
      return handOverWarm(transfer, call, reachColleague, leg.line);
    const briefing =
      plan.transferMode === 'warm' ? { briefing: briefingFor(plan, reason ?? options.lastWords()) } : {};
    const result = await leg.transfer({ to, callerId, ...briefing });
    return result.ok
      ? { ok: true, mode: plan.transferMode, isTold: false }
      : { ...result, mode: plan.transferMode };
  };
}
