import type { EntityManager } from '@mikro-orm/postgresql';
import { withoutNames } from '../../domain/customers.ts';
import { invalid } from '../../domain/errors.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Author } from '../audit/record-difference.ts';
import { revokeTokens } from '../platform/access/revoke-tokens.ts';
import { lockCustomer, refuseUnsettled, removeCustomer } from '../platform/customers/find-customer-groups.ts';
import { Receipt } from '../receipts/receipt.entity.ts';
import { flag, integer, integers, json, orNull, definite, text, texts } from '../support/entity-columns.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { transact } from '../support/transact.ts';

/** What was found of a customer, and lost its names. */
export interface Erased {
  orders: number;
  receipts: number;
  /** The account stays without a name, because its ledgers of credit or points refer to it. */
  keepsLedgers: boolean;
}

/**
 * Takes a customer's name, addresses and contacts out of the shop: the account goes, orders and receipts stay without them.
 * A repeat finds nobody.
 *
 * Refused with: 404 unknown customer · 400 an order that is not settled, or credit or points that are left.
 */
export const eraseCustomer = (
  em: EntityManager,
  { customerId, now, by }: { customerId: number; now: Date; by: Author },
): Promise<Erased> =>
  transact(em, async (tx) => {
    const { email, websiteId } = await lockCustomer(tx, customerId);
    await refuseUnsettled(tx, customerId);
    const ledgers = await readLedgers.first(tx, { customerId });
    if (ledgers?.hasCredit)
      throw invalid('The customer has credit or points left: pay them out, or take them away, first.');
    const who = { customerId, email };
    await revokeTokens(tx, { userType: 'customer', userId: customerId, now });
    const orders = await eraseOrders.all(tx, { ...who, websiteId, alias: aliasOf(customerId) });
    const orderIds = orders.map(({ entityId }) => entityId);
    await eraseAddresses.run(tx, { orderIds });
    const receipts = await eraseReceipts(tx, { ...who, numbers: orders.map(({ incrementId }) => incrementId) });
    await eraseNewsletter.run(tx, { ...who, websiteId });
    await eraseCarts.run(tx, who);
    const keepsLedgers = ledgers?.hasLedger === true;
    if (keepsLedgers) await emptyAccount(tx, customerId);
    else await removeCustomer(tx, customerId);
    await recordAudit(tx, {
      ...{ entityType: 'customer', entityId: customerId, fieldName: 'personal data', newValue: 'erased' },
      ...by,
    });
    return { orders: orders.length, receipts, keepsLedgers };
  });

/** Keeps the orders of one person together, and belongs to nobody. */
const aliasOf = (customerId: number) => `erased-${customerId}@erased.invalid`;

const readLedgers = statement({
  takes: { customerId: integer },
  gives: { hasCredit: definite(flag), hasLedger: definite(flag) },
  text: `
    select (exists (select from store_credit_wallet where customer_id = $customerId and amount <> 0)
      or exists (select from reward_points_account where customer_id = $customerId and balance <> 0)) as has_credit,
      (exists (select from store_credit_wallet where customer_id = $customerId)
      or exists (select from reward_points_account where customer_id = $customerId)) as has_ledger`,
});

/** Those of the account, and those of a guest with its address on the same website. */
const eraseOrders = statement({
  takes: { customerId: integer, email: text, websiteId: integer, alias: text },
  gives: { entityId: definite(integer), incrementId: definite(text) },
  text: `
    update sales_order o set customer_email = $alias, customer_firstname = null, customer_lastname = null,
      customer_middlename = null, customer_prefix = null, customer_suffix = null, customer_taxvat = null,
      customer_dob = null, customer_note = null, ext_customer_id = null, remote_ip = null
    where o.customer_id = $customerId or (lower(o.customer_email) = lower($email)
      and o.store_id in (select v.store_id from store_view v where v.website_id = $websiteId))
    returning o.entity_id, o.increment_id`,
});

const eraseAddresses = statement({
  takes: { orderIds: integers },
  text: `
    update sales_order_address set firstname = null, lastname = null, middlename = null, prefix = null, suffix = null,
      company = null, street = '[]', city = null, postcode = null, telephone = null, fax = null, email = null, vat_id = null
    where order_id = any($orderIds)`,
});

const eraseNewsletter = statement({
  takes: { customerId: integer, email: text, websiteId: integer },
  text: `
    delete from newsletter_subscriber
    where customer_id = $customerId or (website_id = $websiteId and lower(email) = lower($email))`,
});

const eraseCarts = statement({
  takes: { customerId: integer, email: text },
  text: `delete from quote where customer_id = $customerId or lower(customer_email) = lower($email)`,
});

const papers = of(Receipt, 'receiptId', 'rawPayload', 'receiptModel', 'shipToShipments', 'backorderShipments');

const readReceipts = statement({
  takes: { customerId: integer, email: text, numbers: texts },
  gives: papers,
  text: `
    select receipt_id, raw_payload, receipt_model, ship_to_shipments, backorder_shipments from pos_receipt
    where customer_id = $customerId or lower(customer_email) = lower($email) or order_increment_id = any($numbers)
    for update`,
});

const writeReceipt = statement({
  takes: {
    ...{ receiptId: integer, rawPayload: orNull(text), receiptModel: orNull(text) },
    ...{ shipTo: orNull(text), backorder: orNull(text) },
  },
  text: `
    update pos_receipt set customer_name = null, customer_email = null, raw_payload = $rawPayload,
      receipt_model = $receiptModel, ship_to_shipments = $shipTo, backorder_shipments = $backorder
    where receipt_id = $receiptId`,
});

/** For this transaction: a receipt is frozen, but for the names in it. */
const mayErase = statement({
  takes: {},
  gives: { said: orNull(text) },
  text: `select set_config('pos.erases_names', 'yes', true) as said`,
});

const dropPdfs = statement({
  takes: { receiptIds: integers },
  text: 'delete from pos_receipt_pdf where receipt_id = any($receiptIds)',
});

async function eraseReceipts(
  tx: EntityManager,
  who: { customerId: number; email: string; numbers: string[] },
): Promise<number> {
  const found = await readReceipts.all(tx, who);
  await mayErase.first(tx);
  for (const { receiptId, rawPayload, receiptModel, shipToShipments, backorderShipments } of found)
    await writeReceipt.run(tx, {
      receiptId,
      rawPayload: withoutNames(rawPayload),
      receiptModel: withoutNames(receiptModel),
      shipTo: withoutNames(shipToShipments, true),
      backorder: withoutNames(backorderShipments, true),
    });
  await dropPdfs.run(tx, { receiptIds: found.map(({ receiptId }) => receiptId) });
  return found.length;
}

const emptied = statement({
  takes: { customerId: integer, alias: text },
  text: `
    update customer set email = $alias, firstname = 'Erased', lastname = 'Customer', middlename = null, prefix = null,
      suffix = null, dob = null, taxvat = null, gender = null, password_hash = null, confirmation = null,
      custom_attributes = '{}', default_billing = null, default_shipping = null
    where id = $customerId`,
});
const emptiedOf = ['customer_address', 'wishlist_item', 'customer_password_reset', 'pos_contract_price'].map((table) =>
  statement({ takes: { customerId: integer }, text: `delete from ${table} where customer_id = $customerId` }),
);

async function emptyAccount(tx: EntityManager, customerId: number): Promise<void> {
  for (const removal of emptiedOf) await removal.run(tx, { customerId });
  await emptied.run(tx, { customerId, alias: aliasOf(customerId) });
}

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
    gives: { row: definite(json<Row>()) },
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
  input: { customerId: number; email: string },
): Promise<Record<string, Row[]>> {
  const found: Record<string, Row[]> = {};
  for (const [name, rows] of Object.entries(parts)) found[name] = (await rows.all(em, input)).map(({ row }) => row);
  return found;
}
