import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Website } from './website.entity.ts';

/**
 * A store view: language and display currency of a website. A request path may contain its code (platform facts 4.1).
 */
export const StoreView = defineEntity({
  name: 'StoreView',
  tableName: 'store_view',
  properties: {
    storeId: p.integer().primary(),
    websiteId: () => p.manyToOne(Website).mapToPk().fieldName('website_id').index().deleteRule('restrict'),
    storeGroupId: p.integer().default(0),
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
