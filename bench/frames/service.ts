/**
 * The service on what was built before, with paced streams in its process of conversations, or in its own where `FRAMES_IN`
 * is `service`. SIGUSR2 makes a checkpoint of its database.
 */
import { sql } from 'drizzle-orm';
import { runtime } from '#lib/current-runtime.ts';
import { parseEnv } from '#lib/env.ts';
import { runService } from '../../server/main.ts';
import { startStreams } from './streams.ts';

const isInService = process.env.FRAMES_IN === 'service';
await runService(parseEnv(process.env), {
  development: false,
  ready: Promise.resolve(),
  ...(isInService ? {} : { conversationProcess: new URL('./conversation-process.ts', import.meta.url) }),
});
if (isInService) startStreams();
process.on('SIGUSR2', () => void runtime().db.execute(sql`checkpoint`));
