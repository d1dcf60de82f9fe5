import type { WebhookService } from '#lib/features/webhooks/service.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import type { Foundation } from '#lib/runtime.ts';
import { createDispatcher } from '../dispatch/service.ts';
import { createCallHub } from '../live/hub.ts';
import { createCallService } from '../service.ts';
import { createRecovery } from './recovery.ts';
import { type Carriers, type Converse, createCallRunner } from './runner.ts';
import { createWrapUp } from './wrap-up.ts';

export type CallWork = ReturnType<typeof createCallWork>;

/** Everything that accepts, starts, holds and ends calls, put together: `lib/runtime.ts` and tests give it its ports. */
export function createCallWork(
  deps: Pick<Foundation, 'db' | 'database' | 'clock' | 'ids' | 'log' | 'queue' | 'storage'> & {
    webhooks: WebhookService;
    languageModel: LanguageModel | undefined;
    carriers: Carriers;
    converse: Converse;
  },
) {
  const hub = createCallHub();
  const wrapUp = createWrapUp({ ...deps, hub });
  const recovery = createRecovery({ ...deps, hub, wrapUp });
  const runner = createCallRunner({ ...deps, hub, wrapUp, recovery });
  return {
    hub,
    calls: createCallService({ ...deps, hub, wrapUp }),
    dispatcher: createDispatcher({ ...deps, runner, recovery }),
  };
}
