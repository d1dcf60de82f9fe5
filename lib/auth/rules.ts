import type { Operation } from '#lib/http/operation.ts';
import { ROLES, type Role } from './actor.ts';

export const PASSWORD_MIN_CHARACTERS = 8;
export const PASSWORD_MAX_CHARACTERS = 200;

/** What an API key may do: everything but what only an owner may. */
export const API_KEY_ROLE: Role = 'admin';

export function hasRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The smallest role for an operation. One that names none is safe: viewers read, members write. */
export function roleFor(operation: Operation): Role {
  return operation.role ?? (operation.method === 'GET' ? 'viewer' : 'member');
}

/** E-mail addresses are compared in lower case, as better-auth does at sign-in. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}
