import type { EntityManager } from '@mikro-orm/postgresql';
import { erasedAddress } from '../../domain/customers.ts';
import { invalid } from '../../domain/errors.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Author } from '../audit/record-difference.ts';
import { revokeTokens } from '../platform/access/revoke-tokens.ts';
import { lockCustomer, refuseUnsettled, removeCustomer } from '../platform/customers/find-customer-groups.ts';
import { integer, text } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import { statement } from '../support/statement.ts';
import { transact } from '../support/transact.ts';
import { eraseOrders, eraseReceipts, forgetSignIns, receiptsOf, refuseOpen, rowsBy, type Row } from './erase-names.ts';
import { readOrderData } from './read-person.ts';

/** What was found of a customer, and lost its names. */
export interface Erased {
  orders: number;
  receipts: number;
  /** The account stays without a name, because its ledgers of credit or points refer to it. */
  keepsLedgers: boolean;
}

/**
 * Takes a customer's name, addresses and contacts out of the shop: the account goes, orders and receipts stay without
 * them. A repeat finds nobody.
 *
 * Refused with: 404 unknown customer · 400 an order that is not settled, an open return or refund, or credit or points
 * that are left.
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
    const orderIds = (await findOrders.all(tx, { ...who, websiteId })).map(({ entityId }) => entityId);
    await refuseOpen(tx, orderIds);
    await revokeTokens(tx, { userType: 'customer', userId: customerId, now });
    const receiptIds = (await findReceipts.all(tx, who)).map(({ receiptId }) => receiptId);
    const receipts = await eraseReceipts(tx, [...receiptIds, ...(await receiptsOf(tx, orderIds))]);
    await eraseOrders(tx, orderIds, aliasOf(customerId));
    await forgetSignIns(tx, email);
    await eraseNewsletter.run(tx, { ...who, websiteId });
    await eraseCarts.run(tx, who);
    const keepsLedgers = ledgers?.hasLedger === true;
    if (keepsLedgers) await emptyAccount(tx, customerId);
    else await removeCustomer(tx, customerId);
    await recordAudit(tx, {
      ...{ entityType: 'customer', entityId: customerId, fieldName: 'personal data', newValue: 'erased' },
      ...by,
    });
    return { orders: orderIds.length, receipts, keepsLedgers };
  });

const aliasOf = (customerId: number) => erasedAddress(String(customerId));

const readLedgers = sql('erase-customer.readLedgers')`
  select (exists (select from store_credit_wallet where customer_id = $customerId and amount <> 0)
    or exists (select from reward_points_account where customer_id = $customerId and balance <> 0)) as has_credit,
    (exists (select from store_credit_wallet where customer_id = $customerId)
    or exists (select from reward_points_account where customer_id = $customerId)) as has_ledger`;

/** Those of the account, and those of a guest with its address on the same website. */
const findOrders = sql('erase-customer.findOrders')`
  select o.entity_id from sales_order o
  where o.customer_id = $customerId or (lower(o.customer_email) = lower($email)
    and o.store_id in (select v.store_id from store_view v where v.website_id = $websiteId))
  order by o.entity_id for update`;

const eraseNewsletter = sql('erase-customer.eraseNewsletter')`
  delete from newsletter_subscriber
  where customer_id = $customerId or (website_id = $websiteId and lower(email) = lower($email))`;

const eraseCarts = sql('erase-customer.eraseCarts')`
  delete from quote where customer_id = $customerId or lower(customer_email) = lower($email)`;

/** Those of the orders are found by them. */
const findReceipts = sql('erase-customer.findReceipts')`
  select receipt_id from pos_receipt where claimed_order_id is not null and customer_id = $customerId
  union select receipt_id from pos_receipt where lower(customer_email) = lower($email)
    and customer_email is not null`;

const emptied = sql('erase-customer.emptied')`
  update customer set email = $alias, firstname = 'Erased', lastname = 'Customer', middlename = null, prefix = null,
    suffix = null, dob = null, taxvat = null, gender = null, password_hash = null, confirmation = null,
    custom_attributes = '{}', default_billing = null, default_shipping = null,
    updated_at = now()
  where id = $customerId`;
const emptiedOf = ['customer_address', 'wishlist_item', 'customer_password_reset', 'pos_contract_price'].map((table) =>
  statement({ takes: { customerId: integer }, text: `delete from ${table} where customer_id = $customerId` }),
);

async function emptyAccount(tx: EntityManager, customerId: number): Promise<void> {
  for (const removal of emptiedOf) await removal.run(tx, { customerId });
  await emptied.run(tx, { customerId, alias: aliasOf(customerId) });
}

const who = { customerId: integer, email: text } as const;

const rowsOf = (from: string) => rowsBy(who, from);

/** Orders of the account, and those of a guest with its address: what hangs on them is told by `readOrderData`. */
const theirOrders = sql('erase-customer.theirOrders')`
  select o.entity_id from sales_order o where o.customer_id = $customerId or lower(o.customer_email) = lower($email)
  order by o.entity_id`;

const parts = {
  account: rowsOf('customer t where t.id = $customerId and $email::text is not null'),
  addresses: rowsOf('customer_address t where t.customer_id = $customerId and $email::text is not null'),
  wishes: rowsOf('wishlist_item t where t.customer_id = $customerId and $email::text is not null'),
  newsletter: rowsOf('newsletter_subscriber t where t.customer_id = $customerId or lower(t.email) = lower($email)'),
  carts: rowsOf('quote t where t.customer_id = $customerId or lower(t.customer_email) = lower($email)'),
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
  const orderIds = (await theirOrders.all(em, input)).map(({ entityId }) => entityId);
  const receiptIds = (await findReceipts.all(em, input)).map(({ receiptId }) => receiptId);
  return { ...found, ...(await readOrderData(em, { orderIds, receiptIds })) };
}
