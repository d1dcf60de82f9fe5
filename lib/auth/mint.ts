import type { Actor, WorkspaceId } from './actor.ts';

/**
 * The only place that turns a string into a `WorkspaceId`. Imported by authentication, provisioning and jobs
 * (the layer check refuses every other importer), so a handler cannot invent a scope.
 */
export function mintWorkspaceId(id: string): WorkspaceId {
  return id as WorkspaceId;
}

/** The service acting on its own behalf in one workspace: a job, a sweep, the provision file. */
export function systemActor(workspaceId: string, label: string): Actor {
  return { workspaceId: mintWorkspaceId(workspaceId), kind: 'system', id: label, label, role: 'owner' };
}
