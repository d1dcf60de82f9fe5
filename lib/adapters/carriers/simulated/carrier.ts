import type { Carrier } from '#lib/ports/carrier.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import { createCallClock } from './call-clock.ts';
import { createSimulatedLeg, type Person, type SimulatedLeg } from './leg.ts';
import { personFor } from './people.ts';
import { createRandom } from './random.ts';

/** Calls that ended are remembered for `lookup`, up to this many. */
const MAX_REMEMBERED = 2_000;

export type SimulatedCarrier = Carrier & {
  dial(request: { reference: string; to: string }): Promise<SimulatedLeg>;
  /** The line of a person who calls the agent and waits to be answered; one per reference. */
  callIn(caller: { reference: string; from: string }): SimulatedLeg;
};

/**
 * A carrier without a telephone network: the last two digits of the person's number decide what the person does
 * (the table of simulated numbers). `speed` is SIMULATION_SPEED: 1 real time, 0 as fast as possible. What a person
 * says depends on the call's reference alone, and on what the leg is told (`prepareSimulated`), so a call can be
 * repeated exactly.
 */
export function createSimulatedCarrier(options: {
  speed: number;
  speech: SpeechSynthesizer;
  clock: Clock;
}): SimulatedCarrier {
  const calls = new Map<string, { leg: SimulatedLeg; state: 'in_progress' | 'ended' }>();

  function placeCall(reference: string, person: Person): SimulatedLeg {
    const known = calls.get(reference);
    // The promise of the port: a repeated reference never rings twice.
    if (known) return known.leg;
    const leg = createSimulatedLeg({
      reference,
      clock: createCallClock(options.speed, options.clock),
      speech: options.speech,
      random: createRandom(reference),
      person,
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
    dial: async ({ reference, to }) => placeCall(reference, personFor(to, false)),
    callIn: ({ reference, from }) => placeCall(reference, personFor(from, true)),
    // What another process knew is lost with it, as this carrier lives in memory: then nobody can tell.
    lookup: async (reference) => calls.get(reference)?.state ?? 'unknown',
  };
}
