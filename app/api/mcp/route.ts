import { refuseStream, serveMcp } from '#lib/http/mcp/serve.ts';
import { OFFERED } from './offered.ts';

export const POST = serveMcp(OFFERED);
export const GET = refuseStream;
export const DELETE = refuseStream;
