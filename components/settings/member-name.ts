import type { Member } from '#lib/features/members/contract.ts';

/** What to call a member: by e-mail address until the workspace knows the name. */
export function nameOf(member: Member): string {
  return member.name ?? member.email;
}
