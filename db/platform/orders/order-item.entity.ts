import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { ShownOption } from '../../../domain/platform/catalog/option-figures.ts';
import {
  basePrefixed,
  optionalAmounts,
  optionalIntegers,
  quantityColumn,
  zeroAmounts,
  zeroQuantities,
} from '../../support/columns.ts';
import { timestamps } from '../../support/timestamps.ts';
import { Order } from './order.entity.ts';

/** Money an order line keeps in both currencies. Gross of discount here, net in answers (platform facts 5.2). */
export const orderItemMoney = [
  'price',
  'originalPrice',
  'rowTotal',
  'rowInvoiced',
  'taxAmount',
  'taxInvoiced',
  'taxRefunded',
  'taxCanceled',
  'discountAmount',
  'discountInvoiced',
  'discountRefunded',
  'discountTaxCompensationAmount',
  'discountTaxCompensationInvoiced',
  'discountTaxCompensationRefunded',
  'discountTaxCompensationCanceled',
  'amountRefunded',
  'weeeTaxAppliedAmount',
  'weeeTaxRowDisposition',
  'weeeTaxDisposition',
  'weeeTaxAmountInvoiced',
  'weeeTaxAmountRefunded',
] as const;

export const OrderItem = defineEntity({
  name: 'OrderItem',
  tableName: 'sales_order_item',
  properties: {
    itemId: p.integer().primary().autoincrement(),
    order: () => p.manyToOne(Order).fieldName('order_id').index().deleteRule('cascade'),
    parentItemId: () =>
      p.manyToOne(OrderItem).mapToPk().fieldName('parent_item_id').index().deleteRule('cascade').nullable(),
    storeId: p.integer().nullable(),
    productId: p.integer().index().nullable(),
    productType: p.string().length(32).default('simple'),
    sku: p.string().length(255).index(),
    /** Where the SKU of the line names its custom options too: the one under which its goods are stocked. */
    stockSku: p.string().length(64).nullable(),
    name: p.string().length(255).nullable(),
    qtyOrdered: quantityColumn(),
    ...zeroQuantities('qtyInvoiced', 'qtyShipped', 'qtyRefunded', 'qtyCanceled', 'qtyBackordered', 'qtyReturned'),
    ...zeroAmounts(...orderItemMoney, ...basePrefixed(...orderItemMoney)),
    ...zeroAmounts('weeeTaxAppliedRowAmount', 'baseWeeeTaxAppliedRowAmnt'),
    ...optionalAmounts(
      'priceInclTax',
      'basePriceInclTax',
      'rowTotalInclTax',
      'baseRowTotalInclTax',
      'cost',
      'baseCost',
    ),
    taxPercent: p.decimal('string').precision(12).scale(4).default('0'),
    discountPercent: p.decimal('string').precision(12).scale(4).default('0'),
    weeeTaxApplied: p.text().nullable(),
    isVirtual: p.boolean().default(false),
    isQtyDecimal: p.boolean().default(false),
    /** As the catalog had it when the line was sold: later changes of the product do not count. */
    isReturnable: p.boolean().default(true),
    ...optionalIntegers('noDiscount', 'freeShipping', 'lockedDoInvoice', 'lockedDoShip', 'quoteItemId'),
    weight: quantityColumn().nullable(),
    ...zeroQuantities('rowWeight'),
    description: p.text().nullable(),
    appliedRuleIds: p.text().nullable(),
    additionalData: p.text().nullable(),
    productOption: p.json<Record<string, unknown>>().nullable(),
    /** What was entered for its custom options, for people: the names that they had when the line was sold. */
    enteredOptions: p.json<ShownOption[]>().defaultRaw(`'[]'::jsonb`),
    extensionAttributes: p.json<Record<string, unknown>>().defaultRaw(`'{}'::jsonb`),
    ...timestamps,
  },
  indexes: [{ properties: ['createdAt'] }],
  checks: [
    {
      name: 'sales_order_item_within_ordered',
      // When a layaway ends, its open invoice is cancelled after the refund; the refunded amount stays (spec 4.7).
      expression:
        '(qty_refunded <= qty_invoiced or (qty_invoiced = 0 and qty_refunded <= qty_ordered)) and qty_invoiced + qty_canceled <= qty_ordered and qty_shipped <= qty_ordered',
    },
  ],
});

export type OrderItem = InferEntity<typeof OrderItem>;
