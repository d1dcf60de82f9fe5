import { addSignedInMember, addWorkspace } from '#lib/auth/testing.ts';
import { startTestRuntime } from '#lib/runtime-testing.ts';

/** A service with the workspace `ws_<name>`: who may change its agents there, who may only look, and somebody of another one. */
export async function startPublishing(name: string) {
  const runtime = await startTestRuntime();
  const workspaceId = `ws_${name}`;
  const alpha = await addWorkspace(runtime, workspaceId);
  await addWorkspace(runtime, `${workspaceId}_other`);
  return {
    runtime,
    alpha,
    member: await addSignedInMember(runtime, workspaceId, 'member'),
    viewer: await addSignedInMember(runtime, workspaceId, 'viewer'),
    stranger: await addSignedInMember(runtime, `${workspaceId}_other`, 'owner'),
  };
}
