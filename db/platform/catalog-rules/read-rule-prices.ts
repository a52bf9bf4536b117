import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, orNull, text } from '../../support/entity-columns.ts';
import { sql } from '../../support/sql.ts';

/** The day of a website's feed, and the progress of its prices. */
export interface FeedState {
  /** `YYYY-MM-DD` in the website's zone. */
  today: string;
  /** The day for which the prices were calculated; null: never. */
  day: string | null;
  indexedAt: Date | null;
}

/** Undefined for an unknown website. */
export const readFeedState = (
  em: EntityManager,
  input: { websiteId: number; now: Date },
): Promise<FeedState | undefined> => state.first(em, input);

const state = sql('read-rule-prices.state')`
  select ($now::timestamptz at time zone w.time_zone)::date as today, i.day, i.indexed_at
  from website w left join catalog_rule_index i on i.website_id = w.website_id
  where w.website_id = $websiteId and w.website_id > 0`;

/** The position of a page: after this product and group. */
export interface PricesAfter {
  websiteId: number;
  date: string;
  productId: number;
  customerGroupId: number;
  limit: number;
}

/**
 * The next rows of a website's day, as comma-separated JSON objects. The database makes the text, so that a long feed
 * needs no objects here. Pages follow the key, so that no row appears twice.
 */
export const readPricePage = (em: EntityManager, after: PricesAfter) => page.first(em, after);

const page = sql('read-rule-prices.page', {
  gives: { items: orNull(text), lastProductId: orNull(integer), lastGroupId: orNull(integer) },
})`
  select count(*) as rows, string_agg(format('{"product_id":%s,"customer_group_id":%s,"rule_price":%s}',
      product_id, customer_group_id, trim_scale(rule_price)), ',' order by product_id, customer_group_id) as items,
    max(product_id) as last_product_id,
    (array_agg(customer_group_id order by product_id, customer_group_id))[count(*)::integer] as last_group_id
  from (
    select product_id, customer_group_id, rule_price from catalog_rule_price
    where website_id = $websiteId and rule_date = $date
      and (product_id, customer_group_id) > ($productId, $customerGroupId)
    order by product_id, customer_group_id limit $limit) as next_rows`;

/** The key of this installation, where a rule exists and recalculation is due. Undefined: nothing to do. */
export const findDuePrices = async (em: EntityManager): Promise<string | undefined> =>
  (await due.first(em))?.installationKey;

const due = sql('read-rule-prices.due')`
  select installation_key from installation where exists (select from catalog_rule_due)
  and (exists (select from catalog_rule) or exists (select from catalog_rule_price))`;
