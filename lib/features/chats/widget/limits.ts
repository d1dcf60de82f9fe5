import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '#lib/errors.ts';
import { clientAddress, networkOf } from '#lib/http/client-address.ts';
import { secondsUntil } from '#lib/http/rate-limit.ts';
import { WIDGET_LIMITS } from './rules.ts';

type What = keyof typeof WIDGET_LIMITS;

/**
 * Counts what visitors ask for, by their network (IPv6 by /64) and by the widget, in this process. Throws
 * `AppError('RATE_LIMITED')` with the seconds to wait.
 */
export function createWidgetLimits() {
  const limiters = new Map(
    (Object.keys(WIDGET_LIMITS) as What[]).map((what) => {
      const { ofNetwork, ofWidget } = WIDGET_LIMITS[what];
      const limiter = (whose: string, { points, seconds }: { points: number; seconds: number }) =>
        new RateLimiterMemory({ keyPrefix: `widget-${what}-${whose}`, points, duration: seconds });
      return [what, [limiter('network', ofNetwork), limiter('widget', ofWidget)]] as const;
    }),
  );
  return async function take(what: What, widgetId: string, headers: Headers): Promise<void> {
    const [ofNetwork, ofWidget] = limiters.get(what) ?? [];
    try {
      // First the network: who is refused for their own haste takes nothing from the others.
      await ofNetwork?.consume(`${widgetId} ${networkOf(clientAddress(headers))}`);
      await ofWidget?.consume(widgetId);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new AppError('RATE_LIMITED', 'Too many messages; wait a moment', {
        retryAfterSeconds: secondsUntil(refusal),
      });
    }
  };
}
