import { randomBytes } from 'node:crypto';
import { recordAudit } from '#lib/features/audit/service.ts';
import type { Runtime } from '#lib/runtime.ts';
import type { ProvisionWorkspace } from '../contract.ts';
import { findMember, upsertMember } from '../repository.ts';
import { type Applying, isWanted, noteKept } from './items.ts';

type User = ProvisionWorkspace['users'][number];
type Person = { user: User; passwordHash: string | undefined };

/** Hashing a password takes 50 ms, so it comes before the transaction, and only where one is to be stored. */
export async function preparePeople(runtime: Runtime, users: readonly User[]): Promise<Person[]> {
  const people: Person[] = [];
  for (const user of users) people.push({ user, passwordHash: await passwordHashFor(runtime, user) });
  return people;
}

async function passwordHashFor(runtime: Runtime, user: User): Promise<string | undefined> {
  const existing = await runtime.auth.findUserByEmail(user.email);
  // Nobody knows a random password: the account waits until an owner sets one.
  if (!existing) return runtime.auth.hashPassword(user.password ?? randomBytes(24).toString('base64url'));
  if (!user.reset || user.password === undefined) return undefined;
  if (await runtime.auth.passwordMatches(existing.id, user.password)) return undefined;
  return runtime.auth.hashPassword(user.password);
}

/** Makes accounts and memberships that are missing. Password, name and role of those that exist change with `reset` only. */
export async function applyPeople(applying: Applying, people: readonly Person[]): Promise<void> {
  for (const person of people) {
    const userId = await applyAccount(applying, person);
    await applyMembership(applying, person.user, userId);
  }
}

async function applyAccount(applying: Applying, { user, passwordHash }: Person): Promise<string> {
  const { runtime, tx, actor } = applying;
  const { auth, clock } = runtime;
  const existing = await auth.findUserByEmail(user.email, tx);
  if (!existing) {
    if (passwordHash === undefined) throw new Error(`users: ${user.email} was removed meanwhile`);
    const name = user.name ?? user.email;
    const made = { email: user.email, name, passwordHash, homeWorkspaceId: actor.workspaceId };
    return (await auth.createUser(made, tx)).id;
  }
  if (!user.reset) return existing.id;
  const entry = { targetId: existing.id, data: { email: user.email } };
  if (user.name && user.name !== existing.name) {
    await auth.renameUser(existing.id, user.name, tx);
    await recordAudit(tx, clock, actor, { action: 'member.renamed', ...entry });
  }
  if (passwordHash !== undefined) {
    await auth.setPasswordHash(existing.id, passwordHash, { tx });
    await recordAudit(tx, clock, actor, { action: 'member.password.reset', ...entry });
  }
  return existing.id;
}

async function applyMembership(applying: Applying, user: User, userId: string): Promise<void> {
  const { tx, actor, now, items, runtime } = applying;
  const { email, role, reset } = user;
  const existing = await findMember(tx, actor.workspaceId, userId);
  if (!isWanted(applying, { kind: 'member', name: email, isThere: existing !== undefined, reset })) return;
  await items.remember('member', email, userId);
  if (existing && existing.role !== role && !reset) {
    noteKept(applying, { kind: 'member', targetId: userId, what: 'role' });
    return;
  }
  const change = await upsertMember(tx, actor.workspaceId, { userId, role, now });
  if (change.kind === 'unchanged') return;
  const entry = existing
    ? { action: 'member.role.updated', data: { email, from: existing.role, to: role } }
    : { action: 'member.added', data: { email, role } };
  await recordAudit(tx, runtime.clock, actor, { ...entry, targetId: userId });
}
