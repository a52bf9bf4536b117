import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { aggregators, catalogRuleActions, type CatalogRuleCondition } from '../../../domain/platform/stock-rules.ts';
import { amountColumn } from '../../support/columns.ts';
import { timestamps } from '../../support/shop-clock.ts';

/**
 * A promotion on the catalog's own prices (platform facts 9.3). When a rule changes, a trigger lists every product
 * for recalculation.
 */
export const CatalogRule = defineEntity({
  name: 'CatalogRule',
  tableName: 'catalog_rule',
  properties: {
    ruleId: p.bigint('number').primary().autoincrement(),
    name: p.string().length(255),
    isActive: p.boolean().default(true),
    /** Null: every website, every group. */
    websiteIds: p.array(Number, String).nullable(),
    customerGroupIds: p.array(Number, String).nullable(),
    /** The first and the last day on which it applies, in the website's time zone. */
    fromDate: p.date().nullable(),
    toDate: p.date().nullable(),
    aggregator: p.enum(aggregators).default('all'),
    /** Empty: every product. */
    conditions: p.json<readonly CatalogRuleCondition[]>().defaultRaw(`'[]'::jsonb`),
    simpleAction: p.enum(catalogRuleActions),
    /** A percentage, or base currency. */
    discountAmount: amountColumn(),
    /** Lower numbers apply first; of two equal ones the older rule. */
    sortOrder: p.integer().default(0),
    /** No rule after it changes the price. */
    stopRulesProcessing: p.boolean().default(false),
    ...timestamps,
  },
  checks: [
    {
      name: 'catalog_rule_prices',
      expression: `discount_amount >= 0 and discount_amount <> 'NaN' and (simple_action = 'by_fixed' or simple_action = 'to_fixed' or discount_amount <= 100)`,
    },
    { name: 'catalog_rule_days', expression: 'from_date <= to_date' },
  ],
});
export type CatalogRule = InferEntity<typeof CatalogRule>;

/**
 * The prices that the rules give, for one day, website and group: the feed's rows. Rows exist for yesterday, today
 * and tomorrow in the website's time zone (platform facts 9.3), and only where a rule applies. Only `reindexDue`
 * writes them.
 */
export const CatalogRulePrice = defineEntity({
  name: 'CatalogRulePrice',
  tableName: 'catalog_rule_price',
  properties: {
    productId: p.bigint('number').primary(),
    websiteId: p.bigint('number').primary(),
    ruleDate: p.date().primary(),
    customerGroupId: p.bigint('number').primary(),
    rulePrice: amountColumn(),
  },
  indexes: [
    {
      name: 'catalog_rule_price_feed',
      expression:
        'create index "catalog_rule_price_feed" on "catalog_rule_price" (website_id, rule_date, product_id, customer_group_id) include (rule_price)',
    },
  ],
});
export type CatalogRulePrice = InferEntity<typeof CatalogRulePrice>;

/**
 * A product whose prices must be recalculated. Triggers add it in the transaction of the change, and the transaction
 * that writes the prices deletes it. Null: every product.
 */
export const CatalogRuleDue = defineEntity({
  name: 'CatalogRuleDue',
  tableName: 'catalog_rule_due',
  properties: {
    dueId: p.bigint('number').primary().autoincrement(),
    productId: p.bigint('number').nullable(),
  },
});
export type CatalogRuleDue = InferEntity<typeof CatalogRuleDue>;

/** Progress of a website's prices: the day around which its rows exist, and when one of them last changed. */
export const CatalogRuleIndex = defineEntity({
  name: 'CatalogRuleIndex',
  tableName: 'catalog_rule_index',
  properties: {
    websiteId: p.bigint('number').primary(),
    /** Today, in the website's time zone. */
    day: p.date(),
    /** Null: never. */
    indexedAt: p.datetime(3).nullable(),
  },
});
export type CatalogRuleIndex = InferEntity<typeof CatalogRuleIndex>;
