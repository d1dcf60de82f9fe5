import { exportCalls } from '#lib/features/conversations/export/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(exportCalls)(async ({ actor, query, runtime }) => {
  await runtime.audit.note(actor, { action: 'export.conversations', targetId: null, data: query });
  return runtime.callExport.download(actor, query);
});
