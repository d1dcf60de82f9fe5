import { describeError, type Logger } from '#lib/log.ts';
import { createPacer } from '#lib/media/pacer.ts';
import type { Carrier } from '#lib/ports/carrier.ts';
import type { CallClock, Clock } from '#lib/ports/clock.ts';
import { createTwilioCarrier } from './carrier.ts';
import { createTwilioRest } from './rest.ts';
import type { TwilioSettings } from './settings.ts';

/** The Twilio carrier as the environment names it. Nothing is asked of Twilio before the first call. */
export function openTwilioCarrier(
  settings: TwilioSettings,
  deps: { clock: Clock; callClock: CallClock; log: Logger },
): Carrier & { close(): Promise<void> } {
  return createTwilioCarrier({
    settings,
    rest: createTwilioRest(settings),
    clock: deps.callClock,
    now: deps.clock.now,
    pacer: createPacer({
      clock: deps.callClock,
      onFailed: (error) => deps.log.error({ event: 'stream_failed', error: describeError(error) }),
    }),
    log: deps.log,
  });
}
