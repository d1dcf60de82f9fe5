import type { Role } from '#lib/auth/actor.ts';

export const ROLE_OPTIONS: readonly { value: Role; label: string; detail: string }[] = [
  { value: 'viewer', label: 'Viewer', detail: 'Looks at everything, changes nothing' },
  { value: 'member', label: 'Member', detail: 'Edits agents, prompts and knowledge, places calls' },
  { value: 'admin', label: 'Admin', detail: 'Also keys, numbers, webhooks and limits' },
  { value: 'owner', label: 'Owner', detail: 'Also members' },
];
