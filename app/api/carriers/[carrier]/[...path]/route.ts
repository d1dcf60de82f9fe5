import { runtime } from '#lib/current-runtime.ts';

/** What a carrier's servers ask, in forms and XML: no operation of the API. */
export const POST = (request: Request) => runtime().carrierCallbacks.serve(request);
