import type { EntityManager } from '@mikro-orm/postgresql';
import { decimal, integer, listOf, moment, orNull, quantity, definite, text } from './support/entity-columns.ts';
import { sql } from './support/sql.ts';
import type { RowFrom } from './support/statement.ts';

export type BuyingFigures = RowFrom<typeof figures>;
export type LastPurchase = RowFrom<typeof lastPurchases>;
export type Favourites = RowFrom<typeof favourites>;
export type PreferredLocation = RowFrom<typeof preferredLocation>;

export interface Insights {
  figures: BuyingFigures;
  lastPurchases: LastPurchase[];
  favouriteProducts: Favourites['products'];
  favouriteCategories: Favourites['categories'];
  preferredLocation: PreferredLocation | null;
}

/** Favourites come from the last purchases, not from older ones. */
const recentPurchases = 500;
const shownPurchases = 5;
const shownFavourites = 5;

/**
 * A customer's purchases on the own website, in its base currency (spec 4.5); undefined for an unknown customer. Four
 * parallel reads, none of them row by row.
 *
 * A purchase is an order that is neither cancelled nor unpaid, such as a layaway.
 */
export async function readInsights(em: EntityManager, customerId: number): Promise<Insights | undefined> {
  const [found, purchases, liked, location] = await Promise.all([
    figures.first(em, { customerId }),
    lastPurchases.all(em, { customerId, limit: shownPurchases }),
    favourites.first(em, { customerId, recent: recentPurchases, limit: shownFavourites }),
    preferredLocation.first(em, { customerId, recent: recentPurchases }),
  ]);
  if (!found) return undefined;
  return {
    figures: found,
    lastPurchases: purchases,
    favouriteProducts: liked?.products ?? [],
    favouriteCategories: liked?.categories ?? [],
    preferredLocation: location ?? null,
  };
}

/** Read from the index `sales_order_of_customer` alone. */
const isPurchase = `o.customer_id = $customerId and o.state not in ('canceled', 'pending_payment')`;

const figures = sql('insights.figures', {
  gives: { firstAt: orNull(moment), lastAt: orNull(moment), returnRate: definite(decimal) },
})`
  select w.base_currency_code as currency_code, f.purchases, f.visits, f.first_at, f.last_at,
    f.bought - f.refunded as spent, f.refunded,
    case when f.purchases = 0 then 0 else in_coins(f.bought / f.purchases, w.base_currency_code)
      end as average_basket,
    case when f.bought = 0 then 0 else round(100 * f.refunded / f.bought, 2) end as return_rate
  from customer c join website w on w.website_id = c.website_id cross join lateral (
    select coalesce(sum(d.purchases), 0)::bigint as purchases, count(*) as visits, min(d.first_at) as first_at,
      max(d.last_at) as last_at, coalesce(sum(d.bought), 0) as bought, coalesce(sum(d.refunded), 0) as refunded
    from (
      select count(*) as purchases, min(o.created_at) as first_at, max(o.created_at) as last_at,
        sum(o.base_grand_total - o.base_total_canceled) as bought,
          sum(o.base_total_refunded + o.base_returned_without_memo) as refunded
      from sales_order o join store_view v on v.store_id = o.store_id
      where ${isPurchase} and v.website_id = w.website_id
      group by (o.created_at at time zone w.time_zone)::date) as d) as f
  where c.id = $customerId`;

const recent = `
  recent as materialized (
    select o.entity_id, o.created_at from sales_order o where ${isPurchase}
    order by o.created_at desc, o.entity_id desc limit $recent)`;

const lastPurchases = sql('insights.lastPurchases')`
  select o.entity_id, o.increment_id, o.created_at, o.status, o.grand_total, o.order_currency_code,
    o.total_refunded + o.returned_without_memo as total_refunded,
    (select count(*) from sales_order_item i where i.order_id = o.entity_id and i.parent_item_id is null) as lines
  from sales_order o where ${isPurchase} order by o.created_at desc, o.entity_id desc limit $limit`;

/**
 * The goods of which most purchases left some with the customer, then the largest quantities. Lines are read by order
 * and categories by product, each once: a wrong estimate would make the planner read both tables completely.
 */
const favourites = sql('insights.favourites', {
  gives: {
    products: listOf({ sku: text, name: orNull(text), qty: quantity, purchases: integer, lastAt: moment }),
    categories: listOf({ categoryId: text, qty: quantity, purchases: integer }),
  },
})`
  with ${recent},
  kept as materialized (
    select i.product_id, i.sku, r.entity_id, max(i.name) as name, max(r.created_at) as created_at,
      sum(i.qty_ordered - i.qty_refunded - i.qty_canceled) as qty
    from recent r cross join lateral (
      select * from sales_order_item l where l.order_id = r.entity_id and l.parent_item_id is null offset 0) as i
    group by i.product_id, i.sku, r.entity_id having sum(i.qty_ordered - i.qty_refunded - i.qty_canceled) > 0),
  products as (
    select sku, max(name) as name, sum(qty) as qty, count(distinct entity_id) as purchases, max(created_at) as last_at
    from kept group by sku order by purchases desc, qty desc, sku limit $limit),
  known as materialized (
    select k.product_id, (select p.category_ids from product p where p.entity_id = k.product_id) as category_ids
    from (select distinct product_id from kept) as k),
  categories as (
    select category_id, sum(qty) as qty, count(*) as purchases
    from (
      select category_id, kept.entity_id, sum(kept.qty) as qty
      from kept join known on known.product_id = kept.product_id cross join unnest(known.category_ids) as category_id
      group by category_id, kept.entity_id) as c
    group by category_id order by purchases desc, qty desc, category_id limit $limit)
  select
    (select coalesce(json_agg(json_build_object('sku', sku, 'name', name, 'qty', qty, 'purchases', purchases,
      'lastAt', last_at)
       order by purchases desc, qty desc, sku), '[]'::json) from products) as products,
    (select coalesce(json_agg(json_build_object('categoryId', category_id, 'qty', qty, 'purchases', purchases)
       order by purchases desc, qty desc, category_id), '[]'::json) from categories) as categories`;

/**
 * The location with most receipts of the last purchases; of two equal ones the later. Another website may have an
 * order with the same number, so the receipt must belong to the sale, or to a location of the website.
 */
const preferredLocation = sql('insights.preferredLocation')`
  with ${recent}
  select l.location_id, l.name, count(distinct r.entity_id) as purchases
  from recent r join sales_order o on o.entity_id = r.entity_id join store_view v on v.store_id = o.store_id
    join pos_receipt t on t.order_increment_id = o.increment_id
    join pos_location l on l.location_id = t.location_id
  where t.pos_order_id = o.pos_sale_id or l.website_id = v.website_id
  group by l.location_id, l.name order by purchases desc, max(r.created_at) desc limit 1`;
