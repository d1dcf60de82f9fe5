import { getSimulation } from '#lib/features/simulations/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getSimulation)(async ({ actor, params, query, runtime }) => ({
  data: await runtime.simulations.get(actor, params, { hasTranscripts: query.transcripts === 'true' }),
}));
