/** The largest form that a carrier's servers send us. */
export const MAX_CALLBACK_BYTES = 16 * 1024;

/** The paths below `/api` that only a carrier's servers ask for. They have no operation object: forms come in, XML goes out. */
export const CARRIER_ROUTES = [
  { method: 'POST', path: '/carriers/{carrier}/{topic}', maxBodyBytes: MAX_CALLBACK_BYTES },
  { method: 'POST', path: '/carriers/{carrier}/{topic}/{reference}', maxBodyBytes: MAX_CALLBACK_BYTES },
] as const;

/** Below `/api/carriers`: the carrier, what it is about, and the call's reference where there is one. */
export const CALLBACK_PATH = /^\/api\/carriers\/([^/]+)\/([^/]+)(?:\/([^/]+))?\/?$/;

/** The WebSocket that carries the sound of a call. */
export const CARRIER_STREAM_PATH = /^\/api\/carriers\/([^/]+)\/stream\/([^/]+)\/?$/;
