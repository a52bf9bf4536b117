import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { whyNoWallet } from './wallet.repository.ts';

/** A balance; its time is null where nothing was booked. */
export type Balance = RowFrom<typeof readBalance>;

const readBalance = sql('read-balance.readBalance')`
  select c.id as customer_id, s.website_id, coalesce(w.amount, 0) as amount,
    coalesce(w.base_currency_code, s.base_currency_code) as base_currency_code, w.updated_at
  from customer c
  join website s on s.website_id = $websiteId and s.website_id > 0
  left join store_credit_wallet w on w.customer_id = c.id and w.website_id = s.website_id
  where c.id = $customerId and (c.website_id = s.website_id or w.wallet_id is not null)`;

/**
 * A customer's store credit on a website (spec 2.17): zero, in the website's base currency, before the first entry. One
 * statement, because a register asks for it on the way of a sale.
 *
 * Refused with: 404 an unknown customer, an unknown website; the admin scope counts as unknown · 400 a website that
 * the account does not belong to, unless an order there left credit.
 */
export async function findBalance(em: EntityManager, customerId: number, websiteId: number): Promise<Balance> {
  const row = await readBalance.first(em, { customerId, websiteId });
  if (!row) throw await whyNoWallet(em, customerId, websiteId);
  return row;
}
