import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** A nonce of an accepted signed request: it is refused for as long as its timestamp would be accepted. */
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
