import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, orNull, text } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

/** Store where the goods came back, else where they were sold. */
const storeOf = `coalesce(
    (select r.location_id from sale_return r
      where r.order_id = p.order_id and r.refund_method = 'store_credit' and r.credit_memo_id is not null
      order by r.return_id desc limit 1),
    pos_store_of(p.order_id))`;

const promised = sql('promised-credit.promised', { gives: { orderId: integer, customer: orNull(text) } })`
  select p.order_id, o.increment_id as order_number,
    coalesce(nullif(concat_ws(' ', o.customer_firstname, o.customer_lastname), ''), o.customer_email) as customer,
    l.name as store, p.amount,
    p.currency_code as currency, p.since
  from store_credit_promise p
  join sales_order o on o.entity_id = p.order_id
  cross join lateral (select ${storeOf} as location_id) w
  left join pos_location l on l.location_id = w.location_id
  where $locationIds?::bigint[] is null or w.location_id = any($locationIds::bigint[])
  order by p.since limit $most`;

export type PromisedCredit = RowFrom<typeof promised>;

/**
 * Store credit that refunds promised and that is not issued yet, the oldest first, in the order's currency. Reads only.
 *
 * @param seen locationIds null: all stores
 */
export const promisedCredit = (
  em: EntityManager,
  seen: { locationIds: readonly number[] | null; most: number },
): Promise<PromisedCredit[]> => promised.all(em, seen);

/** At most so many are counted for the menu. */
const maxCounted = 1_000;

export const countPromisedCredit = async (
  em: EntityManager,
  { locationIds }: { locationIds: readonly number[] | null },
): Promise<number> => (await counted.first(em, { locationIds, most: maxCounted }))?.orders ?? 0;

const counted = sql('promised-credit.counted')`
  select count(*) as orders from (
    select 1 from store_credit_promise p
    where $locationIds?::bigint[] is null or ${storeOf} = any($locationIds::bigint[]) limit $most) n`;
