import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { amountColumn, optionalIds, optionalIntegers } from '../support/columns.ts';
import { timestamps } from '../support/shop-clock.ts';
import { cartKeyOf } from './cart-key.ts';
import { Location } from '../locations/location.entity.ts';

/**
 * A parked cart that every register of its location may recall (spec 2.8). One per `cartKey`.
 *
 * A claimed cart stays claimed until it is deleted, or until its claimant parks it anew: a trigger ensures it.
 */
export const HeldCart = defineEntity({
  name: 'HeldCart',
  tableName: 'pos_held_cart',
  properties: {
    heldCartId: p.bigint('number').primary().autoincrement(),
    locationId: () => p.manyToOne(Location).mapToPk().fieldName('location_id').deleteRule('restrict'),
    ...optionalIntegers('itemCount'),
    ...optionalIds('staffId', 'terminalId', 'recalledByStaffId'),
    staffName: p.string().length(255).nullable(),
    /** The register's own name for the cart, as it was sent last. */
    cartUuid: p.string().length(100),
    /** The same for every spelling of one UUID. */
    cartKey: p
      .string()
      .length(100)
      .generated(`(${cartKeyOf('cart_uuid')}) stored`)
      .unique()
      .nullable(),
    /** Opaque: only the app knows its form. */
    cartData: p.text(),
    customerName: p.string().length(255).nullable(),
    grandTotal: amountColumn().nullable(),
    currencyCode: p.string().length(3).nullable(),
    holdComment: p.text().nullable(),
    recalledAt: p.datetime(6).nullable(),
    /** The caller that recalled it, as far as tokens distinguish registers. */
    recalledByCaller: p.string().length(32).nullable().hidden(),
    /** Where it was recalled, as far as that is known. */
    recalledAtTerminalId: p.bigint('number').nullable().hidden(),
    /** The caller that parked it, and when; both stay where somebody else posts a claimed cart. */
    parkedByCaller: p.string().length(32).nullable().hidden(),
    parkedAt: p.datetime(6).defaultRaw('now()').hidden(),
    ...timestamps,
  },
  indexes: [{ name: 'pos_held_cart_newest_first', properties: ['locationId', 'heldCartId'] }],
  checks: [
    { name: 'pos_held_cart_item_count_not_negative', expression: 'item_count >= 0' },
    {
      name: 'pos_held_cart_claim_is_whole',
      expression: '(recalled_at is null) = (recalled_by_staff_id is null)',
    },
    {
      name: 'pos_held_cart_free_without_claim',
      expression: 'recalled_at is not null or (recalled_by_caller is null and recalled_at_terminal_id is null)',
    },
  ],
});

export type HeldCart = InferEntity<typeof HeldCart>;
