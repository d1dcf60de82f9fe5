import { serveMcp } from '#lib/http/mcp/serve.ts';
import { OFFERED } from './offered.ts';

export const POST = serveMcp(OFFERED);
