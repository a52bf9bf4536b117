import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { giftCardEntryKinds, giftCardStates } from '../../domain/gift-cards.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { Website } from '../platform/stores/store.entity.ts';
import { amountColumn, zeroAmounts } from '../support/columns.ts';

const momentOfEntry = () => p.datetime(6).defaultRaw('clock_timestamp()');

/**
 * A gift card of one website. Anyone who knows its code may spend it, so codes never appear in logs or workflows.
 *
 * `balance` is the sum of its entries, which triggers ensure; code, website and currency never change.
 */
export const GiftCard = defineEntity({
  name: 'GiftCard',
  tableName: 'gift_card',
  properties: {
    cardId: p.bigint('number').primary().autoincrement(),
    /** The code as issued. */
    code: p.string().length(64),
    /** The key for look-ups: see `giftCardKey`. */
    codeKey: p.string().length(255).unique(),
    websiteId: () => p.manyToOne(Website).mapToPk().fieldName('website_id').deleteRule('restrict'),
    baseCurrencyCode: p.string().length(3),
    ...zeroAmounts('balance'),
    state: p.enum(giftCardStates).default('active'),
    /** Last second of its last day, in the website's time zone; null: never expires. */
    expiresAt: p.datetime(0).nullable(),
    /** Set by a trigger when the state becomes `disabled`. */
    disabledAt: p.datetime(6).nullable(),
    createdAt: momentOfEntry(),
    updatedAt: momentOfEntry(),
  },
  checks: [{ name: 'gift_card_not_negative', expression: `balance >= 0 and balance <> 'NaN'` }],
  // For whoever has only the last digits in hand.
  indexes: [
    {
      name: 'gift_card_last_four',
      expression: 'create index "gift_card_last_four" on "gift_card" (right("code_key", 4))',
    },
  ],
});
export type GiftCard = InferEntity<typeof GiftCard>;

/** One movement of a gift card. A trigger forbids changing or deleting it. */
export const GiftCardEntry = defineEntity({
  name: 'GiftCardEntry',
  tableName: 'gift_card_entry',
  properties: {
    entryId: p.bigint('number').primary().autoincrement(),
    cardId: () => p.manyToOne(GiftCard).mapToPk().fieldName('card_id').deleteRule('restrict'),
    kind: p.enum(giftCardEntryKinds),
    delta: amountColumn(),
    /** The balance after it: the running sum. */
    balanceAfter: amountColumn(),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').deleteRule('restrict').nullable(),
    reason: p.string().length(1_000),
    /** The same key is the same movement. */
    key: p.string().length(255).unique(),
    createdAt: momentOfEntry(),
  },
  checks: [
    {
      name: 'gift_card_entry_moves_its_way',
      expression: `delta <> 0 and delta <> 'NaN' and (kind = 'adjusted' or (delta < 0) = (kind = 'spent'))`,
    },
    { name: 'gift_card_entry_not_negative', expression: `balance_after >= 0 and balance_after <> 'NaN'` },
  ],
  indexes: [
    { properties: ['cardId', 'entryId'] },
    { name: 'gift_card_entry_of_order', properties: ['orderId'], where: 'order_id is not null' },
    { name: 'gift_card_entry_by_hand', properties: ['createdAt'], where: 'order_id is null and delta > 0' },
  ],
});
export type GiftCardEntry = InferEntity<typeof GiftCardEntry>;
