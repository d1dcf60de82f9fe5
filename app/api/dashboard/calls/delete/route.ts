import { deleteCalls } from '#lib/features/deletion/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(deleteCalls)(async ({ actor, body, runtime }) => ({
  data: await runtime.deletion.deleteSeveral(actor, body.ids),
}));
