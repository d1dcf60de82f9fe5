/** The service's own process of conversations, with paced streams in it. */
import '../../server/conversation-process.ts';
import { startStreams } from './streams.ts';

startStreams();
