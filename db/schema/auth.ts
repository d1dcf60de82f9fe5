import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, dateTime, updatedAt } from './columns.ts';

// The four tables better-auth works on, with its field names.
export const users = pgTable('users', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  image: text('image'),
  /**
   * The workspace whose owner made the account and may give it a new password (docs/decisions/0088). Not a reference:
   * the schema of workspaces refers to users already, and workspaces are never deleted.
   */
  homeWorkspaceId: text('home_workspace_id'),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

export const sessions = pgTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    token: text('token').notNull().unique(),
    expiresAt: dateTime('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('sessions_user').on(table.userId)],
);

export const accounts = pgTable(
  'accounts',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: dateTime('access_token_expires_at'),
    refreshTokenExpiresAt: dateTime('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('accounts_user').on(table.userId)],
);

export const verifications = pgTable('verifications', {
  id: text('id').primaryKey(),
  identifier: text('identifier').notNull(),
  value: text('value').notNull(),
  expiresAt: dateTime('expires_at').notNull(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

/** Failed sign-ins per account, address and both together, so that every process counts the same ones. */
export const signInAttempts = pgTable(
  'sign_in_attempts',
  {
    /** What is counted, with a SHA-256 of the address or account: neither stands here in clear. */
    key: text('key').primaryKey(),
    // rate-limiter-flexible prescribes the names of these two.
    points: integer('count').notNull(),
    expire: dateTime('window_ends_at').notNull(),
  },
  (table) => [index('sign_in_attempts_window').on(table.expire)],
);

/**
 * What every process of an installation has to know and nobody else may: `auth` signs sessions and links where
 * AUTH_SECRET is not set. A second process that starts at the same moment reads what the first one wrote.
 */
export const installationSecrets = pgTable('installation_secrets', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
  createdAt: createdAt(),
});
