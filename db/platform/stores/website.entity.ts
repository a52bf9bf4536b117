import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** A website: the scope of customers, prices, wallets and most settings (platform facts 11). Id 0 is the admin scope. */
export const Website = defineEntity({
  name: 'Website',
  tableName: 'website',
  properties: {
    websiteId: p.integer().primary(),
    code: p.string().length(32).unique(),
    name: p.string().length(64),
    defaultGroupId: p.integer().default(0),
    baseCurrencyCode: p.string().length(3),
    timeZone: p.string().length(64).default('UTC'),
    isDefault: p.boolean().default(false),
  },
});

export type Website = InferEntity<typeof Website>;
