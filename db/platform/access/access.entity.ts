import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { shopNow, timestamps } from '../../support/shop-clock.ts';

/** The kind of user a token stands for (platform facts 1.1). */
const userTypes = ['integration', 'admin', 'customer'] as const;
export type UserType = (typeof userTypes)[number];

/**
 * A token, stored as a SHA-256 digest, so that a reader of the table cannot use it. It is a bearer token, or a token
 * that an integration signs with. The latter is not accepted as a bearer token, because each signed request shows it
 * openly.
 */
export const AccessToken = defineEntity({
  name: 'AccessToken',
  tableName: 'access_token',
  properties: {
    tokenId: p.bigint('number').primary().autoincrement(),
    digest: p.string().length(64).unique().hidden(),
    userType: p.enum(userTypes),
    userId: p.bigint('number'),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => shopNow()),
    /** Null: never expires, as for integrations whose token was not rotated. */
    expiresAt: p.datetime(6).nullable(),
    revokedAt: p.datetime(6).nullable(),
    /** Exact to the hour: a request must not cost a write. Null: never used since it is noted. */
    lastUsedAt: p.datetime(6).nullable(),
    /** Only for a token that signs requests. */
    consumerKey: p.string().length(32).nullable().unique(),
    /** The secrets of consumer and token, sealed: checking a signature needs them in clear text. */
    sealedSecrets: p.text().nullable().hidden(),
  },
  checks: [
    {
      name: 'access_token_signs_with_secrets',
      expression: '(consumer_key is null) = (sealed_secrets is null)',
    },
  ],
  indexes: [{ properties: ['userType', 'userId'] }],
});

export type AccessToken = InferEntity<typeof AccessToken>;

/** A system that calls the API with a token of its own, such as a register (platform facts 1.1). */
export const Integration = defineEntity({
  name: 'Integration',
  tableName: 'integration',
  properties: {
    integrationId: p.bigint('number').primary().autoincrement(),
    name: p.string().length(255).unique(),
    isActive: p.boolean().default(true),
    resources: p.json<string[]>().defaultRaw(`'[]'::jsonb`),
    ...timestamps,
  },
});

export type Integration = InferEntity<typeof Integration>;

/** A nonce of an accepted signed request: it is refused for as long as its timestamp would be accepted. */
export const OAuthNonce = defineEntity({
  name: 'OAuthNonce',
  tableName: 'oauth_nonce',
  properties: {
    tokenId: p.bigint('number').primary(),
    nonce: p.string().length(255).primary(),
    expiresAt: p.datetime(6),
  },
  indexes: [{ properties: ['expiresAt'] }],
});

export type OAuthNonce = InferEntity<typeof OAuthNonce>;

/** A platform administrator, with the resources of the role (platform facts 1.2). */
export const AdminUser = defineEntity({
  name: 'AdminUser',
  tableName: 'admin_user',
  properties: {
    userId: p.bigint('number').primary().autoincrement(),
    username: p.string().length(40).unique(),
    firstName: p.string().length(64),
    lastName: p.string().length(64),
    email: p.string().length(128).unique(),
    passwordHash: p.string().length(255).hidden(),
    isActive: p.boolean().default(true),
    /** Null: a user without a role, who gets no token. */
    resources: p.json<string[]>().nullable(),
    ...timestamps,
  },
});

export type AdminUser = InferEntity<typeof AdminUser>;

/**
 * Where a password is checked. Each entry point has its own counts: guesses at one never lock another.
 *
 * token: the token routes of the platform · receipt: the page of a receipt · own_password: a signed-in customer who
 * changes the password.
 */
export const passwordEntryPoints = ['token', 'receipt', 'own_password'] as const;
export type PasswordEntryPoint = (typeof passwordEntryPoints)[number];

/** Failed password checks per user name, type and entry point: six lock for half an hour (platform facts 1.3). */
export const TokenThrottle = defineEntity({
  name: 'TokenThrottle',
  tableName: 'token_throttle',
  properties: {
    throttleId: p.bigint('number').primary().autoincrement(),
    userName: p.string().length(255),
    userType: p.enum(userTypes),
    entryPoint: p.enum(passwordEntryPoints),
    failures: p.integer().default(0),
    lockedUntil: p.datetime(6).nullable(),
    lastFailedAt: p.datetime(6).defaultRaw('now()'),
  },
  uniques: [{ name: 'token_throttle_once_per_user', properties: ['userName', 'userType', 'entryPoint'] }],
});

export type TokenThrottle = InferEntity<typeof TokenThrottle>;
