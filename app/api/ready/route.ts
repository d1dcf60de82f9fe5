import { getReady } from '#lib/features/status/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getReady)(async ({ runtime }) => ({ data: await runtime.status.ready() }));
