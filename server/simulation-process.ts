/** The process in which simulations run (docs/decisions/0313): like that of conversations, with folders of its own and no carrier that is prepared. */
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { serveConversations } from '#lib/conversation-process/child.ts';
import { simulationFolder } from '#lib/conversation-process/journal.ts';
import { createConversations, openModels } from '#lib/conversation-runtime.ts';
import { parseEnv } from '#lib/env.ts';
import { createLogger } from '#lib/log.ts';

const env = parseEnv(process.env);
const log = createLogger(env.logLevel);
serveConversations({
  conversations: createConversations({ ...openModels(env, log), ids: systemIds, log }),
  journalFolder: simulationFolder(env.dataDir),
  clock: systemClock,
  log,
});
