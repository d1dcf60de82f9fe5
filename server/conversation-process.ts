/** The process in which conversations run (docs/decisions/0170): started by the service, once for each of CONVERSATION_PROCESSES. */
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { serveConversations } from '#lib/conversation-process/child.ts';
import { journalFolder } from '#lib/conversation-process/journal.ts';
import { createConversations, openModels } from '#lib/conversation-runtime.ts';
import { parseEnv } from '#lib/env.ts';
import { createLogger } from '#lib/log.ts';

const env = parseEnv(process.env);
const log = createLogger(env.logLevel);
const models = openModels(env, log);
for (const carrier of Object.values(models.carriers)) await carrier.prepare?.();
serveConversations({
  conversations: createConversations({ ...models, ids: systemIds, log }),
  journalFolder: journalFolder(env.dataDir),
  clock: systemClock,
  log,
});
