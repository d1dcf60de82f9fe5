declare const workspaceIdBrand: unique symbol;

/** A workspace id that authentication (or a job that stored one) has vouched for; plain strings do not fit. */
export type WorkspaceId = string & { readonly [workspaceIdBrand]: true };

export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Who acts, and in which workspace. Every service function takes one. */
export type Actor = {
  workspaceId: WorkspaceId;
  kind: 'api_key' | 'user' | 'system';
  /** Key id, user id, or the name of the job. */
  id: string;
  /** For the audit log: key name or e-mail address. */
  label: string;
  role: Role;
  /** What they read before they change it; `assertBase` compares. */
  base?: Readonly<Record<string, unknown>> | undefined;
  /** The token of what they saw before they said yes; `assertConfirmed` opens it. */
  confirmation?: string | undefined;
};
