import type { EntityManager } from '@mikro-orm/postgresql';
import type { GuestName } from '../../domain/customers.ts';
import { definite, integer, integers, text } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import { statement } from '../support/statement.ts';
import { receiptsOf, rowsBy, type Row } from './erase-names.ts';

/** What the shop holds about a person, as rows of its tables: the answer to somebody who asks for it. */

const ofOrders = (from: string) => rowsBy({ orderIds: integers }, from);

const theirReturns = 'select r.return_id from sale_return r where r.order_id = any($orderIds)';

/** What hangs on orders. A gateway's answers and a terminal's are with the payment, the refund and the receipt. */
const parts = {
  orders: ofOrders('sales_order t where t.entity_id = any($orderIds) order by t.entity_id'),
  order_addresses: ofOrders('sales_order_address t where t.order_id = any($orderIds) order by t.entity_id'),
  order_lines: ofOrders('sales_order_item t where t.order_id = any($orderIds) order by t.item_id'),
  order_comments: ofOrders('sales_order_status_history t where t.parent_id = any($orderIds) order by t.entity_id'),
  payments: ofOrders('sales_order_payment t where t.order_id = any($orderIds) order by t.entity_id'),
  returns: ofOrders('sale_return t where t.order_id = any($orderIds) order by t.return_id'),
  return_lines: ofOrders(`sale_return_item t where t.return_id in (${theirReturns}) order by t.entity_id`),
  return_comments: ofOrders(`sale_return_comment t where t.return_id in (${theirReturns}) order by t.comment_id`),
  refunds: ofOrders('refund_attempt t where t.order_id = any($orderIds) order by t.attempt_id'),
} as const;

const ofReceipts = (from: string) => rowsBy({ receiptIds: integers }, from);

const papers = {
  receipts: ofReceipts('pos_receipt t where t.receipt_id = any($receiptIds) order by t.receipt_id'),
  receipt_lines: ofReceipts('pos_receipt_item t where t.receipt_id = any($receiptIds) order by t.receipt_item_id'),
  mails: ofReceipts('mail_outbox t where t.receipt_id = any($receiptIds) order by t.mail_id'),
} as const;

/** So many orders are read at once. */
const ordersAtOnce = 500;

/**
 * All that hangs on these orders, and on receipts of theirs and these, by its kind, without secrets.
 *
 * @param receiptIds found otherwise, as by an address
 */
export async function readOrderData(
  em: EntityManager,
  { orderIds, receiptIds }: { orderIds: readonly number[]; receiptIds: readonly number[] },
): Promise<Record<string, Row[]>> {
  const found: Record<string, Row[]> = {};
  const take = (name: string, rows: readonly { row: Row }[]) => {
    const kind = (found[name] ??= []);
    for (const { row } of rows) kind.push(row);
  };
  const receipts = new Set(receiptIds);
  for (let at = 0; at === 0 || at < orderIds.length; at += ordersAtOnce) {
    const some = orderIds.slice(at, at + ordersAtOnce);
    for (const [name, rows] of Object.entries(parts)) take(name, await rows.all(em, { orderIds: some }));
    for (const id of await receiptsOf(em, some)) receipts.add(id);
  }
  const all = [...receipts].toSorted((one, other) => one - other);
  for (let at = 0; at === 0 || at < all.length; at += ordersAtOnce) {
    const some = all.slice(at, at + ordersAtOnce);
    for (const [name, rows] of Object.entries(papers)) take(name, await rows.all(em, { receiptIds: some }));
  }
  return found;
}

/** SQL: whether an address `a` has the telephone `$telephone`: digits are compared, without zeros at the front. */
const hasTelephone = `a.telephone is not null and ltrim(regexp_replace(a.telephone, '\\D', '', 'g'), '0') = $telephone`;

/**
 * SQL: the orders `o` of a guest. By e-mail, whoever's account they went to; by telephone those without an account: a
 * number is often that of several people.
 */
export const ordersOfGuest = {
  email: 'sales_order o where lower(o.customer_email) = lower($email)',
  telephone: `sales_order o where o.customer_id is null and o.entity_id in (
    select a.order_id from sales_order_address a where ${hasTelephone})`,
} as const;

/** SQL: the receipts with an e-mail, of orders or of none. */
export const receiptsWithEmail =
  'pos_receipt where lower(customer_email) = lower($email) and customer_email is not null';

/** SQL: whether an address of an order has the e-mail, and the order is somebody else's, as of a present that was sent. */
export const isOfOthersOrder = (alias: string) => `lower(${alias}.email) = lower($email) and ${alias}.order_id not in (
  select o.entity_id from ${ordersOfGuest.email})`;

const ordersByEmail = sql('read-person.ordersByEmail')`
  select o.entity_id as order_id from ${ordersOfGuest.email} order by o.entity_id`;

const ordersByTelephone = sql('read-person.ordersByTelephone')`
  select o.entity_id as order_id from ${ordersOfGuest.telephone} order by o.entity_id`;

/** The orders of a guest, oldest first. */
export const findGuestOrders = async (em: EntityManager, who: GuestName): Promise<number[]> =>
  (await ('email' in who ? ordersByEmail.all(em, who) : ordersByTelephone.all(em, who))).map(({ orderId }) => orderId);

const receiptsByEmail = sql(
  'read-person.receiptsByEmail',
)`select receipt_id from ${receiptsWithEmail} order by receipt_id`;

/** Receipts with the e-mail, of orders or of none. */
export const findReceiptsByEmail = async (em: EntityManager, email: string): Promise<number[]> =>
  (await receiptsByEmail.all(em, { email })).map(({ receiptId }) => receiptId);

/** SQL: a guest's carts, by their e-mail or an address of theirs; of an account the account's erasure takes them. */
const cartsByEmail = `q.customer_id is null and (lower(q.customer_email) = lower($email) or exists (
  select from quote_address a where a.quote_id = q.quote_id and lower(a.email) = lower($email)))`;
const cartsByTelephone = `q.customer_id is null and exists (
  select from quote_address a where a.quote_id = q.quote_id and ${hasTelephone})`;

const cartsOf = {
  email: statement({
    takes: { email: text },
    gives: { cartId: definite(integer) },
    text: `select q.quote_id as cart_id from quote q where ${cartsByEmail} order by q.quote_id`,
  }),
  telephone: statement({
    takes: { telephone: text },
    gives: { cartId: definite(integer) },
    text: `select q.quote_id as cart_id from quote q where ${cartsByTelephone} order by q.quote_id`,
  }),
};

export const findGuestCarts = async (em: EntityManager, who: GuestName): Promise<number[]> =>
  (await ('email' in who ? cartsOf.email.all(em, who) : cartsOf.telephone.all(em, who))).map(({ cartId }) => cartId);

/** A parked cart is the register's own text. It is a person's where their e-mail is in it. */
const parkedWith = sql('read-person.parkedWith')`
  select held_cart_id from pos_held_cart where position(lower($email) in lower(cart_data)) > 0 order by held_cart_id`;

export const findHeldCarts = async (em: EntityManager, email: string): Promise<number[]> =>
  (await parkedWith.all(em, { email })).map(({ heldCartId }) => heldCartId);

const accountsOf = sql('read-person.accountsOf')`
  select id from customer where lower(email) = lower($email) order by id limit 20`;

/** Accounts with this e-mail: one a website, at most. */
export const findAccounts = async (em: EntityManager, email: string): Promise<number[]> =>
  (await accountsOf.all(em, { email })).map(({ id }) => id);

const ofCarts = (from: string) => rowsBy({ cartIds: integers }, from);

const carts = {
  carts: ofCarts('quote t where t.quote_id = any($cartIds) order by t.quote_id'),
  cart_addresses: ofCarts('quote_address t where t.quote_id = any($cartIds) order by t.address_id'),
  cart_lines: ofCarts('quote_item t where t.quote_id = any($cartIds) order by t.item_id'),
} as const;

const heldCarts = rowsBy(
  { heldCartIds: integers },
  'pos_held_cart t where t.held_cart_id = any($heldCartIds) order by t.held_cart_id',
);

const ofEmail = (from: string) => rowsBy({ email: text }, from);

const byAddress = {
  newsletter: ofEmail('newsletter_subscriber t where lower(t.email) = lower($email) order by t.subscriber_id'),
  addresses_on_orders_of_others: ofEmail(`sales_order_address t where ${isOfOthersOrder('t')} order by t.entity_id`),
  wrong_passwords: ofEmail(`token_throttle t where t.user_type = 'customer' and lower(t.user_name) = lower($email)`),
} as const;

/** All that the shop has about a guest, by its kind, without secrets. Reads only. */
export async function readGuestData(em: EntityManager, who: GuestName): Promise<Record<string, Row[]>> {
  const orderIds = await findGuestOrders(em, who);
  const receiptIds = 'email' in who ? await findReceiptsByEmail(em, who.email) : [];
  const found = await readOrderData(em, { orderIds, receiptIds });
  const cartIds = await findGuestCarts(em, who);
  for (const [name, rows] of Object.entries(carts))
    found[name] = (await rows.all(em, { cartIds })).map(({ row }) => row);
  if (!('email' in who)) return found;
  for (const [name, rows] of Object.entries(byAddress)) found[name] = (await rows.all(em, who)).map(({ row }) => row);
  const heldCartIds = await findHeldCarts(em, who.email);
  found['held_carts'] = (await heldCarts.all(em, { heldCartIds })).map(({ row }) => row);
  return found;
}
