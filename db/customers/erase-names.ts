import type { EntityManager } from '@mikro-orm/postgresql';
import { withoutNames } from '../../domain/customers.ts';
import { invalid } from '../../domain/errors.ts';
import { openStatuses } from '../../domain/returns/return-status.ts';
import { definite, json, orNull, text, type Kinds } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import { statement } from '../support/statement.ts';

/** What goes and what is told where a person is taken out of orders and receipts, with an account or without one. */

/**
 * SQL: why an order `o` keeps its names for now; null where nothing of it is open. Money, goods or an answer are owed.
 */
const stillOpen = `case
  when o.pos_layaway_status in ('open', 'stale') and o.state not in ('canceled', 'closed') then 'is laid away'
  when o.base_total_due > 0 and o.state not in ('canceled', 'closed') then 'is not paid'
  when exists (select from sale_return r where r.order_id = o.entity_id
    and r.status in ('${openStatuses.join("', '")}')) then 'has an open return'
  when exists (select from refund_attempt a where a.order_id = o.entity_id and a.state in ('started', 'uncertain'))
    or exists (select from credit_refund c where c.order_id = o.entity_id and c.state = 'reserved')
    or exists (select from return_process p where p.order_id = o.entity_id and p.state = 'open')
    then 'has a refund that is not decided' end`;

export interface OpenOrder {
  incrementId: string;
  why: string;
}

const openOf = sql('erase-names.openOf', { gives: { why: definite(text) } })`
  select open.increment_id, open.why from (
    select o.increment_id, o.entity_id, ${stillOpen} as why from sales_order o where o.entity_id = any($orderIds)
  ) open where open.why is not null order by open.entity_id limit 20`;

/** The first orders of these of which something is open, and what. */
export const readOpenOrders = (em: EntityManager, orderIds: readonly number[]): Promise<OpenOrder[]> =>
  openOf.all(em, { orderIds: [...orderIds] });

/** Refused with 400: an order that is not paid, is laid away, has an open return, or a refund that is not decided. */
export async function refuseOpen(tx: EntityManager, orderIds: readonly number[]): Promise<void> {
  const [first] = await readOpenOrders(tx, orderIds);
  if (first) throw invalid('Order %1 %2: end that first.', [first.incrementId, first.why]);
}

const onOrders = sql('erase-names.onOrders')`
  update sales_order set customer_email = $alias, customer_firstname = null, customer_lastname = null,
    customer_middlename = null, customer_prefix = null, customer_suffix = null, customer_taxvat = null,
    customer_dob = null, customer_gender = null, customer_note = null, ext_customer_id = null, remote_ip = null,
    x_forwarded_for = null
  where entity_id = any($orderIds)`;

const onPayments = sql('erase-names.onPayments')`
  update sales_order_payment set cc_owner = null where order_id = any($orderIds) and cc_owner is not null`;

const namelessAddress = `firstname = null, lastname = null, middlename = null, prefix = null, suffix = null,
  company = null, street = '[]', city = null, postcode = null, telephone = null, fax = null, email = null, vat_id = null`;

const onAddresses = sql('erase-names.onAddresses')`
  update sales_order_address set ${namelessAddress} where order_id = any($orderIds)`;

const onAddressesTo = sql('erase-names.onAddressesTo')`
  update sales_order_address set ${namelessAddress} where lower(email) = lower($email)`;

/** Addresses with this e-mail on orders of somebody else, as of a present that was sent. */
export const eraseAddressesTo = (tx: EntityManager, email: string): Promise<number> => onAddressesTo.run(tx, { email });

/** Takes a person out of these orders, under their locks; numbers, goods, figures, country and region stay. */
export async function eraseOrders(tx: EntityManager, orderIds: readonly number[], alias: string): Promise<void> {
  const these = { orderIds: [...orderIds] };
  await onOrders.run(tx, { ...these, alias });
  await onAddresses.run(tx, these);
  await onPayments.run(tx, these);
}

/**
 * SQL: whether a receipt `r` with the number of an order `o` is of that order. A number is there once in a store: where
 * another store has it, too, the receipt's sale or its place decides.
 */
const isOfOrder = `(r.pos_order_id = o.pos_sale_id
  or not exists (select from sales_order x where x.increment_id = o.increment_id and x.entity_id <> o.entity_id)
  or exists (select from pos_location l join store_view v on v.store_id = o.store_id
    where l.location_id = r.location_id and (l.store_view_id = o.store_id or (l.store_view_id is null and l.website_id = v.website_id))))`;

/** SQL: the receipts of the orders `$orderIds`, those of their refunds with them. */
export const receiptsOfOrders = `
  select r.receipt_id from sales_order o join pos_receipt r on r.pos_order_id = o.pos_sale_id
    where o.entity_id = any($orderIds)
  union select r.receipt_id from sales_order o join pos_receipt r on r.order_increment_id = o.increment_id
    where o.entity_id = any($orderIds) and ${isOfOrder}
  union select r.receipt_id from sales_order o join pos_receipt r on r.original_order_increment_id = o.increment_id
    where o.entity_id = any($orderIds) and ${isOfOrder}`;

const ofOrders = sql('erase-names.ofOrders')`select f.receipt_id from (${receiptsOfOrders}) f order by f.receipt_id`;

/** The ids of the receipts of these orders. */
export const receiptsOf = async (tx: EntityManager, orderIds: readonly number[]): Promise<number[]> =>
  (await ofOrders.all(tx, { orderIds: [...orderIds] })).map(({ receiptId }) => receiptId);

const readPapers = sql('erase-names.readPapers')`
  select receipt_id, raw_payload, receipt_model, ship_to_shipments, backorder_shipments from pos_receipt
  where receipt_id = any($receiptIds) order by receipt_id for update`;

const writeReceipt = sql('erase-names.writeReceipt')`
  update pos_receipt set customer_name = null, customer_email = null, raw_payload = $rawPayload?,
    receipt_model = $receiptModel?, ship_to_shipments = $shipTo?, backorder_shipments = $backorder?
  where receipt_id = $receiptId`;

/** For this transaction: a receipt is frozen, but for the names in it. */
const mayErase = sql('erase-names.mayErase', { gives: { said: orNull(text) } })`
  select set_config('pos.erases_names', 'yes', true) as said`;

const dropPdfs = sql('erase-names.dropPdfs')`delete from pos_receipt_pdf where receipt_id = any($receiptIds)`;

/** A receipt that waits to go out by mail: to whom, is sealed. */
const dropMails = sql('erase-names.dropMails')`
  update mail_outbox set state = 'dropped', reason = 'erased', sealed_to = null, wish_digest = null,
    updated_at = now()
  where receipt_id = any($receiptIds) and state = 'waiting'`;

/** Takes a person out of these receipts, and their PDFs and waiting mails away; goods and figures stay. */
export async function eraseReceipts(tx: EntityManager, receiptIds: readonly number[]): Promise<number> {
  const these = { receiptIds: [...receiptIds] };
  const found = await readPapers.all(tx, these);
  await mayErase.first(tx);
  for (const { receiptId, rawPayload, receiptModel, shipToShipments, backorderShipments } of found)
    await writeReceipt.run(tx, {
      receiptId,
      rawPayload: withoutNames(rawPayload),
      receiptModel: withoutNames(receiptModel),
      shipTo: withoutNames(shipToShipments, true),
      backorder: withoutNames(backorderShipments, true),
    });
  await dropPdfs.run(tx, these);
  await dropMails.run(tx, these);
  return found.length;
}

const dropFailures = sql('erase-names.dropFailures')`
  delete from token_throttle where user_type = 'customer' and lower(user_name) = lower($email)`;

/** Wrong passwords that were tried with this e-mail are kept by it. */
export const forgetSignIns = (tx: EntityManager, email: string): Promise<number> => dropFailures.run(tx, { email });

export type Row = Readonly<Record<string, unknown>>;

/** Secrets, and what says nothing about a person. */
const hidden = `'password_hash' - 'confirmation' - 'token_digest' - 'sealed_token' - 'protect_code' - 'confirm_nonce'
  - 'sealed' - 'sealed_to' - 'wish_digest' - 'joined_keys' - 'mail_key' - 'name_tail' - 'idempotency_key' - 'plan'`;

/** Each row `t` of what stands after `from`, as JSON, without secrets. */
export const rowsBy = <const Takes extends Kinds>(takes: Takes, from: string) =>
  statement({
    takes,
    gives: { row: definite(json<Row>()) },
    text: `select to_jsonb(t) - ${hidden} as row from ${from}`,
  });
