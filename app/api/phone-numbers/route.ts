import { listPhoneNumbers } from '#lib/features/numbers/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listPhoneNumbers)(async ({ actor, runtime }) => ({
  data: await runtime.numbers.listAssignments(actor),
}));
