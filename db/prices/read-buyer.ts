import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, orNull, text } from '../support/kinds.ts';
import { statement, type RowFrom } from '../support/statement.ts';

/** The buyer and the website. */
export type Buyer = RowFrom<typeof read>;

/**
 * The customer, the website whose prices apply (0: the customer's own), and the store view named, by id or code.
 * Unknown ones are null.
 */
export async function readBuyer(
  em: EntityManager,
  asked: { customerId: number; websiteId: number; storeView: string },
): Promise<Buyer> {
  const buyer = await read.first(em, asked);
  if (!buyer) throw new Error('a row that is always there is missing');
  return buyer;
}

const read = statement({
  takes: { customerId: integer, websiteId: integer, storeView: text },
  gives: {
    customerId: orNull(integer),
    groupId: orNull(integer),
    websiteId: orNull(integer),
    baseCurrencyCode: orNull(text),
    viewWebsiteId: orNull(integer),
  },
  text: `
    select c.id as customer_id, c.group_id, w.website_id, w.base_currency_code, v.website_id as view_website_id
    from (select 1) always
    left join customer c on c.id = $customerId
    left join website w on w.website_id > 0
      and w.website_id = case when $websiteId <> 0 then $websiteId else c.website_id end
    left join store_view v on v.store_id > 0 and (v.code = $storeView or v.store_id::text = $storeView)
    limit 1`,
});
