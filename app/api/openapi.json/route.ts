import { getOpenApi } from '#lib/features/status/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getOpenApi)(async ({ runtime }) => runtime.status.openApi());
