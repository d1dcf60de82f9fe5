import { readOpenApi } from '#lib/features/integrations/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(readOpenApi)(async ({ body, runtime }) => ({
  data: await runtime.integrationUse.readOpenApi(body.document),
}));
