import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import {
  aggregators,
  catalogRuleActions,
  type CatalogRuleCondition,
} from '../../../domain/platform/catalog-rules/catalog-rule.ts';
import { amountColumn } from '../../support/columns.ts';
import { timestamps } from '../../support/timestamps.ts';

/**
 * A promotion on the prices of the catalog itself (platform facts 9.3). A trigger puts every product down for a new
 * price when a rule changes.
 */
export const CatalogRule = defineEntity({
  name: 'CatalogRule',
  tableName: 'catalog_rule',
  properties: {
    ruleId: p.integer().primary().autoincrement(),
    name: p.string().length(255),
    isActive: p.boolean().default(true),
    /** Null: every website, every group. */
    websiteIds: p.array(Number, String).nullable(),
    customerGroupIds: p.array(Number, String).nullable(),
    /** The first and the last day on which it holds, in the website's time zone. */
    fromDate: p.date().nullable(),
    toDate: p.date().nullable(),
    aggregator: p.enum(aggregators).default('all'),
    /** None: every product. */
    conditions: p.json<readonly CatalogRuleCondition[]>().defaultRaw(`'[]'::jsonb`),
    simpleAction: p.enum(catalogRuleActions),
    /** A percentage, or base currency. */
    discountAmount: amountColumn(),
    /** Lower ones are applied first; of two alike the older one. */
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
 * What the rules make of a price, for one day, website and group: the feed's rows. Rows exist for yesterday, today and
 * tomorrow in the website's time zone (platform facts 9.3), and only where a rule holds. Written by `reindexDue` alone.
 */
export const CatalogRulePrice = defineEntity({
  name: 'CatalogRulePrice',
  tableName: 'catalog_rule_price',
  properties: {
    productId: p.integer().primary(),
    websiteId: p.integer().primary(),
    ruleDate: p.date().primary(),
    customerGroupId: p.integer().primary(),
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
 * A product whose prices have to be worked out anew: put here by triggers, in the transaction that changed what they
 * come from, and taken away by the one that writes them. Null: every product there is.
 */
export const CatalogRuleDue = defineEntity({
  name: 'CatalogRuleDue',
  tableName: 'catalog_rule_due',
  properties: {
    dueId: p.bigint('number').primary().autoincrement(),
    productId: p.integer().nullable(),
  },
});
export type CatalogRuleDue = InferEntity<typeof CatalogRuleDue>;

/** How far the prices of a website are: for which day its rows stand around, and when one of them last changed. */
export const CatalogRuleIndex = defineEntity({
  name: 'CatalogRuleIndex',
  tableName: 'catalog_rule_index',
  properties: {
    websiteId: p.integer().primary(),
    /** Today, in the website's time zone. */
    day: p.date(),
    /** Null: never yet. */
    indexedAt: p.datetime(3).nullable(),
  },
});
export type CatalogRuleIndex = InferEntity<typeof CatalogRuleIndex>;
