import type { Carrier, DialRequest, Leg } from '#lib/ports/carrier.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { Ids } from '#lib/ports/ids.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import { createCallClock } from './call-clock.ts';
import { createSimulatedLeg } from './leg.ts';
import { personFor } from './people.ts';
import { createRandom } from './random.ts';

/** Calls that ended are remembered for `lookup`, up to this many. */
const MAX_REMEMBERED = 2_000;

export type SimulatedCarrier = Carrier & {
  /** A person calls the agent: `from` is the caller, whose last two digits decide how they behave. */
  simulateInbound(request: Omit<DialRequest, 'reference'> & { reference?: string }): Promise<Leg>;
};

/**
 * A carrier without a telephone network: the last two digits of the person's number decide what the person does
 * (the table of simulated numbers). `speed` is SIMULATION_SPEED: 1 real time, 0 as fast as possible. What a person
 * says depends on the call's reference alone, so a call can be repeated exactly.
 */
export function createSimulatedCarrier(options: {
  speed: number;
  speech: SpeechSynthesizer;
  clock: Clock;
  ids: Ids;
}): SimulatedCarrier {
  const calls = new Map<string, { leg: Leg; state: 'in_progress' | 'ended' }>();

  function placeCall(
    reference: string,
    personNumber: string,
    variables: Record<string, string>,
    isInbound: boolean,
  ): Leg {
    const known = calls.get(reference);
    // The promise of the port: a repeated reference never rings twice.
    if (known) return known.leg;
    const random = createRandom(reference);
    const leg = createSimulatedLeg({
      reference,
      clock: createCallClock(options.speed, options.clock),
      speech: options.speech,
      random,
      variables,
      person: personFor(personNumber, isInbound),
      onClosed: () => {
        const call = calls.get(reference);
        if (call) call.state = 'ended';
      },
    });
    calls.set(reference, { leg, state: 'in_progress' });
    for (const [oldest, call] of calls) {
      if (calls.size <= MAX_REMEMBERED) break;
      if (call.state === 'ended') calls.delete(oldest);
    }
    return leg;
  }

  return {
    kind: 'simulated',
    dial: async (request) => placeCall(request.reference, request.to, request.variables, false),
    simulateInbound: async (request) =>
      placeCall(request.reference ?? options.ids.next('sim'), request.from, request.variables, true),
    // What another process knew is lost with it, as this carrier lives in memory: then nobody can tell.
    lookup: async (reference) => calls.get(reference)?.state ?? 'unknown',
  };
}
