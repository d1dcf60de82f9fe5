import { exportOptOuts } from '#lib/features/opt-outs/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(exportOptOuts)(async ({ actor, runtime }) => {
  await runtime.audit.note(actor, { action: 'export.opt_outs', targetId: null });
  return runtime.optOuts.export(actor);
});
