import { getWaveform } from '#lib/features/recordings/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getWaveform)(async ({ actor, params, runtime }) => ({
  data: await runtime.recordings.waveform(actor, params.callId),
}));
