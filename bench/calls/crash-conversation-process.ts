/** What runs conversations for the workers of the crash bench. */
import { serveConversationsWithDialLog } from './dial-log.ts';

serveConversationsWithDialLog(process.env.CRASH_DIAL_LOG ?? '');
