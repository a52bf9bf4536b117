import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { shopNow } from '../../support/shop-clock.ts';

/** The kind of user a token stands for (platform facts 1.1). */
export const userTypes = ['integration', 'admin', 'customer'] as const;
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
    tokenId: p.integer().primary().autoincrement(),
    digest: p.string().length(64).unique().hidden(),
    userType: p.enum(userTypes),
    userId: p.integer(),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => shopNow()),
    /** Null: never expires, as for integrations. */
    expiresAt: p.datetime(6).nullable(),
    revokedAt: p.datetime(6).nullable(),
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
