import { sql } from 'drizzle-orm';
import { AppError } from '#lib/errors.ts';
import { buildOpenApi } from '#lib/http/openapi.ts';
import { operations, webhooks } from '#lib/http/operations.ts';
import { describeError } from '#lib/log.ts';
import type { Dependencies } from '#lib/dependencies.ts';

export const VERSION = '1.0.0';

export type StatusService = ReturnType<typeof createStatusService>;

export function createStatusService(deps: Pick<Dependencies, 'db' | 'queue' | 'storage' | 'env' | 'log'>) {
  return {
    health: () => ({ status: 'ok' as const, version: VERSION, role: deps.env.role }),

    /** Asks every part for a sign of life. Throws NOT_READY that names the parts which gave none. */
    async ready() {
      const parts = {
        database: () => deps.db.execute(sql`select 1`),
        queue: () => deps.queue.ready(),
        storage: () => deps.storage.ready(),
      };
      const checks = await Promise.all(
        Object.entries(parts).map(async ([name, check]) => {
          try {
            await check();
            return undefined;
          } catch (error) {
            deps.log.warn({ event: 'not_ready', part: name, error: describeError(error) });
            return name;
          }
        }),
      );
      const missing = checks.filter((name) => name !== undefined);
      if (missing.length > 0) {
        throw new AppError('NOT_READY', `Not ready: ${missing.join(', ')}`, {
          details: { missing },
          retryAfterSeconds: 2,
        });
      }
      return { database: 'ok' as const, queue: 'ok' as const, storage: 'ok' as const };
    },

    openApi: () => buildOpenApi({ operations, webhooks, publicUrl: deps.env.publicUrl, version: VERSION }),
  };
}
