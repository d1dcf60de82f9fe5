import { cancelAppointment } from '#lib/features/integrations/contract.ts';
import { route } from '#lib/http/route.ts';

export const DELETE = route(cancelAppointment)(async ({ actor, params, runtime }) => ({
  data: await runtime.integrations.cancelAppointment(actor, params.integrationId, params.appointmentId),
}));
