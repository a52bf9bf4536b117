import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

export const configScopes = ['default', 'websites', 'stores'] as const;

/** One merchant setting in one scope: store view over website over default. Provider keys are encrypted at rest. */
export const ConfigValue = defineEntity({
  name: 'ConfigValue',
  tableName: 'config_value',
  properties: {
    configId: p.bigint('number').primary().autoincrement(),
    scope: p.enum(configScopes).default('default'),
    scopeId: p.bigint('number').default(0),
    path: p.string().length(255),
    value: p.text().nullable(),
    isEncrypted: p.boolean().default(false),
  },
  uniques: [{ name: 'config_value_once_per_scope', properties: ['path', 'scope', 'scopeId'] }],
});

export type ConfigValue = InferEntity<typeof ConfigValue>;

/**
 * A website: the scope of customers, prices, wallets and most settings (platform facts 11). Id 0 is the admin scope.
 */
export const Website = defineEntity({
  name: 'Website',
  tableName: 'website',
  properties: {
    websiteId: p.bigint('number').primary(),
    code: p.string().length(32).unique(),
    name: p.string().length(64),
    defaultGroupId: p.bigint('number').default(0),
    baseCurrencyCode: p.string().length(3),
    timeZone: p.string().length(64).default('UTC'),
    isDefault: p.boolean().default(false),
  },
});

export type Website = InferEntity<typeof Website>;

/** A group of store views that share a catalogue (platform facts 11). Id 0 belongs to the admin scope. */
export const StoreGroup = defineEntity({
  name: 'StoreGroup',
  tableName: 'store_group',
  properties: {
    groupId: p.bigint('number').primary(),
    websiteId: () => p.manyToOne(Website).mapToPk().fieldName('website_id').index().deleteRule('restrict'),
    code: p.string().length(32).unique(),
    name: p.string().length(255),
    rootCategoryId: p.bigint('number').default(0),
    defaultStoreId: p.bigint('number').default(0),
  },
});

export type StoreGroup = InferEntity<typeof StoreGroup>;

/**
 * A store view: language and display currency of a website. A request path may contain its code (platform facts 4.1).
 */
export const StoreView = defineEntity({
  name: 'StoreView',
  tableName: 'store_view',
  properties: {
    storeId: p.bigint('number').primary(),
    websiteId: () => p.manyToOne(Website).mapToPk().fieldName('website_id').index().deleteRule('restrict'),
    storeGroupId: p.bigint('number').default(0),
    code: p.string().length(32).unique(),
    name: p.string().length(255),
    isActive: p.boolean().default(true),
    currencyCode: p.string().length(3),
    /** One unit of the website's base currency in the view's currency. */
    currencyRate: p.decimal('string').precision(24).scale(12).default('1'),
    locale: p.string().length(16).default('en_US'),
    sortOrder: p.integer().default(0),
  },
});

export type StoreView = InferEntity<typeof StoreView>;
