import { getRecording } from '#lib/features/recordings/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getRecording)(async ({ params, query, request, runtime }) =>
  runtime.recordings.serve({ callId: params.id, ...query }, request),
);

export const HEAD = GET;
