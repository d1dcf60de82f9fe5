import { getServiceStatus } from '#lib/features/status/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getServiceStatus)(async ({ actor, runtime }) => ({
  data: await runtime.status.overview(actor),
}));
