import { getNumberCountry } from '#lib/features/numbers/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getNumberCountry)(async ({ actor, runtime }) => ({
  data: await runtime.numbers.country(actor),
}));
