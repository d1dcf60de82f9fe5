/** As in the service, but every number that a carrier is asked to dial is written down first, as the far end would see it. */
import { appendFileSync } from 'node:fs';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { serveConversations } from '#lib/conversation-process/child.ts';
import { journalFolder } from '#lib/conversation-process/journal.ts';
import { createConversations, openModels } from '#lib/conversation-runtime.ts';
import { parseEnv } from '#lib/env.ts';
import { createLogger } from '#lib/log.ts';
import { obeyFaults } from './obey.ts';

obeyFaults(process.env.CHAOS_FOLDER ?? '');
const env = parseEnv(process.env);
const log = createLogger(env.logLevel);
const conversations = createConversations({ ...openModels(env, log), ids: systemIds, log });
serveConversations({
  conversations: {
    ...conversations,
    open(order) {
      appendFileSync(process.env.CHAOS_DIALLED ?? '', `${order.plan.humanPhoneNumber}\n`);
      return conversations.open(order);
    },
  },
  journalFolder: journalFolder(env.dataDir),
  clock: systemClock,
  log,
});
