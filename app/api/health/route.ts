import { getHealth } from '#lib/features/status/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getHealth)(async ({ runtime }) => ({ data: runtime.status.health() }));
