import type { EntityManager } from '@mikro-orm/postgresql';
import type { Amount } from '../../../domain/money/amount.ts';
import { amount, integer, integers, moment, orNull } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { numberIn } from '../catalog/attribute-sql.ts';
import type { Cart } from './read-cart.ts';

/** An attribute's value on the website: its own, else the global one. */
const onWebsite = (code: string) =>
  `coalesce(p.scoped_values #>> array['w' || w.website_id, 'customAttributes', '${code}'], p.custom_attributes ->> '${code}')`;

const today = `($now::timestamptz at time zone w.time_zone)::date`;

/** Whether today is within a limit. Where none is said there is no limit; a day that cannot be read never comes. */
const isWithin = (code: string, compared: '<=' | '>=') => `coalesce(
  substring(${onWebsite(code)} from '^\\d{4}-\\d{2}-\\d{2}') ${compared} ${today}::text, coalesce(${onWebsite(code)}, '') = '')`;

const read = statement({
  takes: { productIds: integers, websiteId: integer, groupId: integer, now: moment },
  gives: { productId: integer, special: orNull(amount), byRule: orNull(amount) },
  text: `
    select p.entity_id as product_id,
      case when ${isWithin('special_from_date', '<=')} and ${isWithin('special_to_date', '>=')}
        then round(${numberIn(onWebsite('special_price'))}, 4) end as special,
      (select c.rule_price from catalog_rule_price c
       where c.product_id = p.entity_id and c.website_id = w.website_id and c.rule_date = ${today}
         and c.customer_group_id = $groupId) as by_rule
    from product p join website w on w.website_id = $websiteId
    where p.entity_id = any($productIds::integer[])`,
});

/**
 * The lower prices that hold today for the products of a cart (platform facts 9.1, 9.3): the website's special price,
 * and the catalog rules for the buyer's group. Days are those of the website's time zone.
 *
 * @returns by product; base currency
 */
export async function readLowerPrices(em: EntityManager, cart: Cart, now: Date): Promise<Map<number, Amount[]>> {
  if (cart.lines.length === 0) return new Map();
  const productIds = cart.lines.map((line) => line.productId);
  const { websiteId, customer } = cart;
  const rows = await read.all(em, { productIds, websiteId, groupId: customer.groupId, now });
  return new Map(
    rows.map(({ productId, special, byRule }) => [productId, [special, byRule].flatMap((price) => price ?? [])]),
  );
}
