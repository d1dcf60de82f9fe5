import { appendFileSync } from 'node:fs';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { serveConversations } from '#lib/conversation-process/child.ts';
import { journalFolder } from '#lib/conversation-process/journal.ts';
import { createConversations, openModels } from '#lib/conversation-runtime.ts';
import { parseEnv } from '#lib/env.ts';
import { createLogger } from '#lib/log.ts';

/**
 * Runs conversations as the service's own process does, but appends every number that a carrier is asked to dial to a
 * file before anything else happens, as the far end would see it.
 */
export function serveConversationsWithDialLog(dialLog: string): void {
  const env = parseEnv(process.env);
  const log = createLogger(env.logLevel);
  const conversations = createConversations({ ...openModels(env, log), ids: systemIds, log });
  serveConversations({
    conversations: {
      ...conversations,
      open(order) {
        appendFileSync(dialLog, `${order.plan.humanPhoneNumber}\n`);
        return conversations.open(order);
      },
    },
    journalFolder: journalFolder(env.dataDir),
    clock: systemClock,
    log,
  });
}
