import { listAuditEvents } from '#lib/features/audit/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listAuditEvents)(async ({ actor, query, runtime }) => ({
  data: await runtime.audit.list(actor, query),
}));
