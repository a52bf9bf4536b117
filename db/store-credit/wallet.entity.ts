import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Customer } from '../platform/customers/customer.entity.ts';
import { Website } from '../platform/stores/store.entity.ts';
import { amountColumn, zeroAmounts } from '../support/columns.ts';

const momentOfEntry = () => p.datetime(6).defaultRaw('clock_timestamp()');

/**
 * A customer's store credit on one website (spec 2.17), created by its first entry.
 *
 * `amount` is the sum of its entries, which triggers ensure; the currency never changes.
 */
export const Wallet = defineEntity({
  name: 'Wallet',
  tableName: 'store_credit_wallet',
  properties: {
    walletId: p.bigint('number').primary().autoincrement(),
    customerId: () => p.manyToOne(Customer).mapToPk().fieldName('customer_id').deleteRule('restrict'),
    websiteId: () => p.manyToOne(Website).mapToPk().fieldName('website_id').deleteRule('restrict'),
    ...zeroAmounts('amount'),
    baseCurrencyCode: p.string().length(3),
    updatedAt: momentOfEntry(),
  },
  checks: [{ name: 'store_credit_wallet_not_negative', expression: `amount >= 0 and amount <> 'NaN'` }],
  uniques: [{ name: 'store_credit_wallet_once_per_website', properties: ['customerId', 'websiteId'] }],
});
export type Wallet = InferEntity<typeof Wallet>;

/**
 * One movement of a wallet. A trigger forbids changing or deleting it.
 *
 * The actor is an administrator or the user of an integration's token; both are null where the shop itself acted.
 */
export const WalletEntry = defineEntity({
  name: 'WalletEntry',
  tableName: 'store_credit_entry',
  properties: {
    entryId: p.bigint('number').primary().autoincrement(),
    walletId: () => p.manyToOne(Wallet).mapToPk().fieldName('wallet_id').deleteRule('restrict'),
    /** See `eventTypes`. */
    eventType: p.smallint(),
    delta: amountColumn(),
    /** The balance after it: the running sum. */
    balanceAfter: amountColumn(),
    reason: p.string().length(1_000),
    source: p.string().length(255).nullable(),
    /** The caller's own. */
    idempotencyKey: p.string().length(255).nullable(),
    /**
     * The key of the shop's own booking, such as an order's credit. A separate column, so that no caller's key can
     * equal it.
     */
    bookingKey: p.string().length(255).nullable(),
    adminUserId: p.bigint('number').nullable(),
    apiUserType: p.string().length(32).nullable(),
    apiUserId: p.bigint('number').nullable(),
    createdAt: momentOfEntry(),
  },
  checks: [
    {
      name: 'store_credit_entry_moves_its_way',
      expression: `delta <> 0 and delta <> 'NaN' and (event_type <> 1 or delta > 0) and (event_type <> 2 or delta < 0)`,
    },
    { name: 'store_credit_entry_not_negative', expression: `balance_after >= 0 and balance_after <> 'NaN'` },
    { name: 'store_credit_entry_has_a_reason', expression: `btrim(reason) <> ''` },
    {
      name: 'store_credit_entry_has_one_actor',
      expression:
        'num_nonnulls(api_user_type, api_user_id) <> 1 and not (admin_user_id is not null and api_user_id is not null)',
    },
  ],
  indexes: [
    { properties: ['walletId', 'entryId'] },
    { name: 'store_credit_entry_by_hand', properties: ['createdAt'], where: 'booking_key is null and delta > 0' },
  ],
  uniques: [
    {
      // A wallet belongs to one customer on one website: a key is valid for one entry of it per operation.
      name: 'store_credit_entry_key_once',
      properties: ['walletId', 'eventType', 'idempotencyKey'],
      where: 'idempotency_key is not null',
    },
    {
      name: 'store_credit_entry_booking_once',
      properties: ['walletId', 'eventType', 'bookingKey'],
      where: 'booking_key is not null',
    },
  ],
});
export type WalletEntry = InferEntity<typeof WalletEntry>;
