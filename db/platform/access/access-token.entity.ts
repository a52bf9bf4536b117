import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** Who a token speaks for (platform facts 1.1). */
export const userTypes = ['integration', 'admin', 'customer'] as const;
export type UserType = (typeof userTypes)[number];

/** A bearer token, kept as a SHA-256 digest: whoever reads the table cannot use it. */
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
  },
  indexes: [{ properties: ['userType', 'userId'] }],
});

export type AccessToken = InferEntity<typeof AccessToken>;
