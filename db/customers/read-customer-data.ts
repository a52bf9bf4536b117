import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, json, surely, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

type Row = Readonly<Record<string, unknown>>;

const who = { customerId: integer, email: text } as const;
/** Orders of the account, and those of a guest with its address. */
const theirOrders = `select o.entity_id from sales_order o where o.customer_id = $customerId or lower(o.customer_email) = lower($email)`;
const theirNumbers = theirOrders.replace('o.entity_id', 'o.increment_id');

/** Secrets, and what says nothing about a person. */
const hidden = `'password_hash' - 'confirmation' - 'token_digest' - 'sealed_token' - 'protect_code' - 'confirm_nonce'`;

const rowsOf = (from: string) =>
  statement({
    takes: who,
    gives: { row: surely(json<Row>()) },
    text: `select to_jsonb(t) - ${hidden} as row from ${from}`,
  });

const parts = {
  account: rowsOf('customer t where t.id = $customerId and $email::text is not null'),
  addresses: rowsOf('customer_address t where t.customer_id = $customerId and $email::text is not null'),
  wishes: rowsOf('wishlist_item t where t.customer_id = $customerId and $email::text is not null'),
  newsletter: rowsOf('newsletter_subscriber t where t.customer_id = $customerId or lower(t.email) = lower($email)'),
  carts: rowsOf('quote t where t.customer_id = $customerId or lower(t.customer_email) = lower($email)'),
  orders: rowsOf(`sales_order t where t.entity_id in (${theirOrders})`),
  order_addresses: rowsOf(`sales_order_address t where t.order_id in (${theirOrders})`),
  order_lines: rowsOf(`sales_order_item t where t.order_id in (${theirOrders})`),
  returns: rowsOf(`sale_return t where t.order_id in (${theirOrders})`),
  receipts: rowsOf(
    `pos_receipt t where t.customer_id = $customerId or lower(t.customer_email) = lower($email) or t.order_increment_id in (${theirNumbers})`,
  ),
  store_credit: rowsOf('store_credit_wallet t where t.customer_id = $customerId and $email::text is not null'),
  points: rowsOf('reward_points_account t where t.customer_id = $customerId and $email::text is not null'),
} as const;

/** All that the shop has about a customer, by its kind, without secrets. */
export async function readCustomerData(
  em: EntityManager,
  given: { customerId: number; email: string },
): Promise<Record<string, Row[]>> {
  const found: Record<string, Row[]> = {};
  for (const [name, rows] of Object.entries(parts)) found[name] = (await rows.all(em, given)).map(({ row }) => row);
  return found;
}
