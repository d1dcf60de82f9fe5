import type { ConversationHost } from '#lib/conversation-process/host.ts';
import type { WebhookService } from '#lib/features/webhooks/service.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { createAnnouncer } from '../dispatch/announcer.ts';
import { createDispatcher } from '../dispatch/service.ts';
import { createCarrierDoor } from '../incoming/carrier-door.ts';
import { createIncomingCalls } from '../incoming/service.ts';
import { createCallNotifier } from '../live/notifier.ts';
import { createCallService } from '../service.ts';
import { createWebCallService } from '../web/service.ts';
import { createOrderDelivery } from '../supervision/service.ts';
import { createCallWatching } from '../watching/service.ts';
import { createWatchTelling } from '../watching/telling.ts';
import { createEnding } from './ending.ts';
import { createRecovery } from './recovery.ts';
import { createCallRunner, type SearchForCall, type UseToolForCall } from './runner.ts';
import { createWrapUp } from './wrap-up.ts';

export type CallWork = ReturnType<typeof createCallWork>;

/** Everything that accepts, starts, runs and ends calls, put together: `lib/runtime.ts` and tests give it its ports. */
export function createCallWork(
  deps: Pick<
    Dependencies,
    'env' | 'db' | 'database' | 'clock' | 'ids' | 'log' | 'metrics' | 'tracer' | 'queue' | 'storage'
  > & {
    webhooks: WebhookService;
    languageModel: LanguageModel | undefined;
    conversationHost: ConversationHost;
    searchForCall: SearchForCall;
    useToolForCall: UseToolForCall;
  },
) {
  const notifier = createCallNotifier(deps);
  const wrapUp = createWrapUp({ ...deps, notifier });
  const ending = createEnding({ ...deps, wrapUp });
  const recovery = createRecovery({ ...deps, notifier, ending, wrapUp });
  const runner = createCallRunner({ ...deps, notifier, ending, wrapUp, recovery });
  const deliverOrders = createOrderDelivery(deps);
  const tellWatchers = createWatchTelling(deps);
  const serveOthers = async (callIds: readonly string[]) => {
    await deliverOrders(callIds);
    await tellWatchers(callIds);
  };
  const dispatcher = createDispatcher({ ...deps, runner, recovery, serveOthers });
  const incoming = createIncomingCalls({ ...deps, dispatcher, runner, notifier });
  return {
    notifier,
    watching: createCallWatching({ ...deps, isHeldHere: dispatcher.holds }),
    wrapUp,
    takeFromCarrier: createCarrierDoor({ ...deps, incoming }),
    calls: createCallService({ ...deps, announceWaiting: createAnnouncer(deps), notifier, wrapUp, incoming }),
    webCalls: createWebCallService({ ...deps, incoming }),
    dispatcher,
  };
}
