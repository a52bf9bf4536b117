import type { EntityManager } from '@mikro-orm/postgresql';
import { Order } from '../platform/orders/order.entity.ts';
import { amount, count, decimal, integer, moment, orNull, quantity, surely, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';

export type BuyingFigures = RowFrom<typeof figures>;
export type LastPurchase = RowFrom<typeof lastPurchases>;
export type FavouriteProduct = RowFrom<typeof favouriteProducts>;
export type FavouriteCategory = RowFrom<typeof favouriteCategories>;
export type PreferredLocation = RowFrom<typeof preferredLocation>;

export interface Insights {
  figures: BuyingFigures;
  lastPurchases: LastPurchase[];
  favouriteProducts: FavouriteProduct[];
  favouriteCategories: FavouriteCategory[];
  preferredLocation: PreferredLocation | null;
}

/** Habits of long ago are none: favourites are those of the last purchases. */
const recentPurchases = 500;
const shownPurchases = 5;
const shownFavourites = 5;

/**
 * How a customer buys on the own website, in its base currency (spec 4.5); undefined for a customer nobody knows. Five
 * reads beside each other, none of them row by row.
 *
 * A purchase is an order that was neither cancelled nor is still to be paid for, such as a layaway.
 */
export async function readInsights(em: EntityManager, customerId: number): Promise<Insights | undefined> {
  const few = { customerId, recent: recentPurchases, limit: shownFavourites };
  const [found, purchases, products, categories, location] = await Promise.all([
    figures.first(em, { customerId }),
    lastPurchases.all(em, { customerId, limit: shownPurchases }),
    favouriteProducts.all(em, few),
    favouriteCategories.all(em, few),
    preferredLocation.first(em, { customerId, recent: recentPurchases }),
  ]);
  if (!found) return undefined;
  return {
    figures: found,
    lastPurchases: purchases,
    favouriteProducts: products,
    favouriteCategories: categories,
    preferredLocation: location ?? null,
  };
}

/** Read from `sales_order_of_customer` alone. */
const isPurchase = `o.customer_id = $customerId and o.state not in ('canceled', 'pending_payment')`;

const figures = statement({
  takes: { customerId: integer },
  gives: {
    currencyCode: text,
    purchases: surely(count),
    /** Days with a purchase, in the website's time zone. */
    visits: surely(count),
    firstAt: orNull(moment),
    lastAt: orNull(moment),
    spent: surely(amount),
    refunded: surely(amount),
    averageBasket: surely(amount),
    /** Of what was bought, in percent. */
    returnRate: surely(decimal),
  },
  text: `
    select w.base_currency_code as currency_code, f.purchases, f.visits, f.first_at, f.last_at,
      f.bought - f.refunded as spent, f.refunded,
      case when f.purchases = 0 then 0 else in_coins(f.bought / f.purchases, w.base_currency_code) end as average_basket,
      case when f.bought = 0 then 0 else round(100 * f.refunded / f.bought, 2) end as return_rate
    from customer c join website w on w.website_id = c.website_id cross join lateral (
      select count(*) as purchases, count(distinct (o.created_at at time zone w.time_zone)::date) as visits,
        min(o.created_at) as first_at, max(o.created_at) as last_at,
        coalesce(sum(o.base_grand_total), 0) as bought,
        coalesce(sum(o.base_total_refunded + o.base_returned_without_memo), 0) as refunded
      from sales_order o join store_view v on v.store_id = o.store_id
      where ${isPurchase} and v.website_id = w.website_id) as f
    where c.id = $customerId`,
});

const recent = `
  recent as materialized (
    select o.entity_id, o.created_at from sales_order o where ${isPurchase}
    order by o.created_at desc, o.entity_id desc limit $recent)`;

const lastPurchases = statement({
  takes: { customerId: integer, limit: integer },
  gives: {
    ...of(Order, 'entityId', 'incrementId', 'createdAt', 'status', 'grandTotal', 'orderCurrencyCode', 'totalRefunded'),
    lines: surely(count),
  },
  text: `
    select o.entity_id, o.increment_id, o.created_at, o.status, o.grand_total, o.order_currency_code, o.total_refunded,
      (select count(*) from sales_order_item i where i.order_id = o.entity_id and i.parent_item_id is null) as lines
    from sales_order o where ${isPurchase} order by o.created_at desc, o.entity_id desc limit $limit`,
});

/** What was kept: bought less what came back. */
const kept = 'sum(i.qty_ordered - i.qty_refunded - i.qty_canceled)';

const favouriteProducts = statement({
  takes: { customerId: integer, recent: integer, limit: integer },
  gives: { sku: text, name: orNull(text), qty: surely(quantity), purchases: surely(count), lastAt: surely(moment) },
  text: `
    with ${recent}
    select i.sku, max(i.name) as name, ${kept} as qty, count(distinct r.entity_id) as purchases,
      max(r.created_at) as last_at
    from recent r join sales_order_item i on i.order_id = r.entity_id and i.parent_item_id is null
    group by i.sku having ${kept} > 0
    order by purchases desc, qty desc, i.sku limit $limit`,
});

const favouriteCategories = statement({
  takes: { customerId: integer, recent: integer, limit: integer },
  gives: { categoryId: surely(text), qty: surely(quantity), purchases: surely(count) },
  text: `
    with ${recent},
    bought as materialized (
      select i.product_id, r.entity_id, ${kept} as qty
      from recent r join sales_order_item i on i.order_id = r.entity_id and i.parent_item_id is null
      group by i.product_id, r.entity_id having ${kept} > 0)
    select category_id, sum(b.qty) as qty, count(distinct b.entity_id) as purchases
    from bought b join product p on p.entity_id = b.product_id cross join unnest(p.category_ids) as category_id
    group by category_id order by purchases desc, qty desc, category_id limit $limit`,
});

/** Where the receipts of the last purchases were printed most often; of two alike the later one. */
const preferredLocation = statement({
  takes: { customerId: integer, recent: integer },
  gives: { locationId: integer, name: text, purchases: surely(count) },
  text: `
    with ${recent}
    select l.location_id, l.name, count(*) as purchases
    from recent r join sales_order o on o.entity_id = r.entity_id
      join pos_receipt t on t.order_increment_id = o.increment_id
      join pos_location l on l.location_id = t.location_id
    group by l.location_id, l.name order by purchases desc, max(r.created_at) desc limit 1`,
});
