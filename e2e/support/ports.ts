const first = Number(process.env.E2E_PORT ?? 3210);

/** Where the tests listen. With another `E2E_PORT`, a second checkout is tested at the same time. */
export const PORTS = {
  demo: first,
  api: first + 1,
  /** Of a service with vectors of a model server. */
  vectors: first + 2,
  /** Of the server behind the integrations, and of the receiver of webhooks: the demo's service may send there. */
  integration: first + 3,
  receiver: first + 4,
  /** Of a service that a hundred streams come to at once. */
  streams: first + 5,
};
