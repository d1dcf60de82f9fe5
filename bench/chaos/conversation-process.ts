/** What runs conversations for the workers of the kill suite. */
import { serveConversationsWithDialLog } from '#bench/calls/dial-log.ts';
import { obeyFaults } from './obey.ts';

obeyFaults(process.env.CHAOS_FOLDER ?? '');
serveConversationsWithDialLog(process.env.CHAOS_DIALLED ?? '');
