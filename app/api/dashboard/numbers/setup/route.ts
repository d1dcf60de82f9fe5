import { getNumberSetup } from '#lib/features/numbers/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getNumberSetup)(async ({ runtime }) => ({ data: await runtime.numbers.setup() }));
