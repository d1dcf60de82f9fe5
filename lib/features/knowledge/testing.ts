import type { Actor } from '#lib/auth/actor.ts';
import { addWorkspace } from '#lib/auth/testing.ts';
import { agents } from '#db/schema/agents.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';

export type KnowledgeTest = { runtime: TestRuntime; actor: Actor; stranger: Actor; close(): Promise<void> };

/** The service with two workspaces, `ws_a` with `agent_a` and `ws_b` with `agent_b`. */
export async function startKnowledgeTest(
  options: Parameters<typeof startTestRuntime>[0] = {},
): Promise<KnowledgeTest> {
  const runtime = await startTestRuntime(options);
  const now = runtime.clock.now();
  const actor = await addWorkspace(runtime, 'ws_a');
  const stranger = await addWorkspace(runtime, 'ws_b');
  await runtime.db.insert(agents).values([
    { id: 'agent_a', workspaceId: 'ws_a', name: 'Agent a', createdAt: now, updatedAt: now },
    { id: 'agent_b', workspaceId: 'ws_b', name: 'Agent b', createdAt: now, updatedAt: now },
  ]);
  return { runtime, actor, stranger, close: () => runtime.close() };
}

/** A multipart upload as a browser sends it. */
export function uploadRequest(
  file: { name: string; bytes: Uint8Array | string },
  partName = 'file',
): Promise<Request> {
  const form = new FormData();
  const bytes = typeof file.bytes === 'string' ? file.bytes : new Uint8Array(file.bytes);
  form.append(partName, new File([bytes], file.name));
  return formRequest(form);
}

/** Node's own form stream fails loudly when it is cancelled, as a refused upload does: the bytes are sent instead. */
export async function formRequest(form: FormData): Promise<Request> {
  const encoded = new Response(form);
  const contentType = encoded.headers.get('content-type') ?? '';
  return new Request('http://test/upload', {
    method: 'POST',
    body: await encoded.bytes(),
    headers: { 'content-type': contentType },
  });
}
