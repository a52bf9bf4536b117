import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** Who a token speaks for (platform facts 1.1). */
export const userTypes = ['integration', 'admin', 'customer'] as const;
export type UserType = (typeof userTypes)[number];

/**
 * A token, kept as a SHA-256 digest: whoever reads the table cannot use it. It is a bearer token, or one that an integration
 * signs with: that one is no bearer token, since it travels in the open beside each signature.
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
      .onCreate(() => new Date()),
    /** Null: never, as for integrations. */
    expiresAt: p.datetime(6).nullable(),
    revokedAt: p.datetime(6).nullable(),
    /** Of a token that is signed with. */
    consumerKey: p.string().length(32).nullable().unique(),
    /** The secrets of consumer and token, sealed: a signature cannot be checked by a digest. */
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
