import { exportCalls } from '#lib/features/conversations/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(exportCalls)(async ({ actor, query, runtime }) =>
  runtime.callExport.download(actor, query),
);
