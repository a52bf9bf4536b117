import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** A nonce of a signed request that was carried out: the same one is refused while its moment could still be believed. */
export const OAuthNonce = defineEntity({
  name: 'OAuthNonce',
  tableName: 'oauth_nonce',
  properties: {
    tokenId: p.integer().primary(),
    nonce: p.string().length(255).primary(),
    expiresAt: p.datetime(6),
  },
  indexes: [{ properties: ['expiresAt'] }],
});

export type OAuthNonce = InferEntity<typeof OAuthNonce>;
