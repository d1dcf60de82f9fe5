import { betterAuth } from 'better-auth/minimal';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { accounts, sessions, users, verifications } from '#db/schema/auth.ts';
import { CLIENT_ADDRESS_HEADER } from '#lib/http/client-address.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS } from './rules.ts';

const SESSION_SECONDS = 30 * 24 * 3600;
const ID_PREFIXES: Record<string, string> = {
  user: 'usr',
  session: 'ses',
  account: 'acc',
  verification: 'ver',
};

/**
 * Sessions and passwords by better-auth, on our tables. Only its functions are used, never its own router: the
 * three paths under /api/auth are served by `http.ts`, so what it offers beyond them (sign-up, listing session
 * tokens, changing e-mail addresses) is not reachable. Origin and attempt limits are therefore ours.
 */
export function createBetterAuth(deps: Pick<Dependencies, 'db' | 'env' | 'ids' | 'log' | 'authSecret'>) {
  const publicUrl = new URL(deps.env.publicUrl);
  return betterAuth({
    appName: 'Callwright',
    baseURL: publicUrl.origin,
    secret: deps.authSecret,
    database: drizzleAdapter(deps.db, {
      provider: 'pg',
      usePlural: true,
      schema: { users, sessions, accounts, verifications },
    }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_MIN_CHARACTERS,
      maxPasswordLength: PASSWORD_MAX_CHARACTERS,
    },
    // A session ends 30 days after its sign-in. Sliding it would need a new cookie on every answer that pages cannot set.
    session: { expiresIn: SESSION_SECONDS, disableSessionRefresh: true },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      cookiePrefix: 'callwright',
      useSecureCookies: publicUrl.protocol === 'https:',
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      database: { generateId: ({ model }) => deps.ids.next(ID_PREFIXES[model] ?? 'row') },
    },
    logger: {
      level: 'error',
      log: (level, message) =>
        deps.log[level === 'debug' ? 'debug' : level]({ event: 'better_auth', message }),
    },
  });
}

export type BetterAuth = ReturnType<typeof createBetterAuth>;
