import { PORTS } from './ports.ts';

/** The service that `e2e/support/serve.ts` starts beside the demo, with the workspaces of `provision.json`. */
export const API_URL = `http://localhost:${PORTS.api}`;
export const ALPHA = 'cw_test_alpha';
export const BETA = 'cw_test_beta_';
/** Of the workspace that the fuzz test may break, beside tests that need theirs whole. */
export const GAMMA = 'cw_test_gamma';

export type Answer = {
  status: number;
  body: { data?: unknown; message?: string; error?: { message: string; statusCode: number; code?: string } };
  headers: Headers;
};

/** One request with a key (null = none); a JSON body is sent as such, anything else as it is. */
export async function call(
  method: string,
  path: string,
  options: { key?: string | null; body?: unknown; raw?: BodyInit; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const key = options.key === undefined ? ALPHA : options.key;
  const response = await fetch(`${API_URL}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === null ? {} : { 'x-api-key': key }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.raw === undefined
      ? options.body === undefined
        ? {}
        : { body: JSON.stringify(options.body) }
      : { body: options.raw }),
  });
  const text = await response.text();
  let body: unknown = {};
  try {
    body = text === '' ? {} : JSON.parse(text);
  } catch {
    throw new Error(
      `${method} ${path} answered ${response.status} with something that is not JSON: ${text.slice(0, 200)}`,
    );
  }
  return { status: response.status, body: body as Answer['body'], headers: response.headers };
}

/** Reads the conversation until the call has ended. */
export async function finished(conversationId: string, key = ALPHA): Promise<Record<string, unknown>> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { body } = await call('GET', `/api/conversation/${conversationId}`, { key });
    if (body.data) return body.data as Record<string, unknown>;
    if (Date.now() > deadline) throw new Error(`call ${conversationId} did not end within a minute`);
  }
}
