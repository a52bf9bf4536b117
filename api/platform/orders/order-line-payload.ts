import { z } from 'zod';
import type { PostedLine } from '../../../db/platform/orders/posted-order.ts';
import { orderItemMoney } from '../../../db/platform/orders/order-item.entity.ts';
import { basePrefixed } from '../../../db/support/columns.ts';
import { eachOf } from '../../wire/each-of.ts';
import {
  flag,
  growing,
  integer,
  payload,
  percent,
  quantity,
  quantityThat,
  storedMoney,
  text,
} from '../../wire/schemas.ts';
import { without } from '../../wire/without.ts';
import { wireRecord } from '../../wire/wire-record.ts';

/** As long as a product's description may be. */
const maxText = 65_535;

/** The name of the parent line: its quote item, or its sku. */
const parentItem = growing({ quoteItemId: integer.optional(), sku: text(255).optional() });

/** Fields that only the server sets, and unused columns of the platform's line, which clients send as null: ignored. */
const readOver = [
  'orderId',
  'parentItemId',
  'createdAt',
  'updatedAt',
  'baseTaxBeforeDiscount',
  'taxBeforeDiscount',
  'eventId',
  'extOrderItemId',
  'gwId',
  'gwBasePrice',
  'gwPrice',
  'gwBaseTaxAmount',
  'gwTaxAmount',
  'gwBasePriceInvoiced',
  'gwPriceInvoiced',
  'gwBaseTaxAmountInvoiced',
  'gwTaxAmountInvoiced',
  'gwBasePriceRefunded',
  'gwPriceRefunded',
  'gwBaseTaxAmountRefunded',
  'gwTaxAmountRefunded',
] as const;

/** A line of an order that a caller sends (platform facts 5.1). */
export const orderLinePayload = payload({
  itemId: integer.optional(),
  sku: text(255).optional(),
  name: text(255).optional(),
  productId: integer.optional(),
  productType: text(32).optional(),
  storeId: integer.optional(),
  qtyOrdered: quantityThat((qty) => qty > 0).optional(),
  ...eachOf(
    ['qtyInvoiced', 'qtyShipped', 'qtyRefunded', 'qtyCanceled', 'qtyBackordered', 'qtyReturned'],
    quantity.optional(),
  ),
  ...eachOf([...orderItemMoney, ...basePrefixed(...orderItemMoney)], storedMoney.optional()),
  ...eachOf(
    [
      'weeeTaxAppliedRowAmount',
      'baseWeeeTaxAppliedRowAmnt',
      'priceInclTax',
      'basePriceInclTax',
      'rowTotalInclTax',
      'baseRowTotalInclTax',
      'cost',
      'baseCost',
    ],
    storedMoney.optional(),
  ),
  taxPercent: percent.optional(),
  discountPercent: percent.optional(),
  weeeTaxApplied: text(maxText).optional(),
  isVirtual: flag.optional(),
  isQtyDecimal: flag.optional(),
  ...eachOf(['noDiscount', 'freeShipping', 'lockedDoInvoice', 'lockedDoShip', 'quoteItemId'], integer.optional()),
  ...eachOf(['weight', 'rowWeight'], quantity.optional()),
  ...eachOf(['description', 'appliedRuleIds', 'additionalData'], text(maxText).optional()),
  productOption: wireRecord.optional(),
  extensionAttributes: wireRecord.optional(),
  parentItem: parentItem.optional(),
  ...eachOf(readOver, z.unknown().optional()),
}).meta({ id: 'OrderItem' });

type OrderLine = z.output<typeof orderLinePayload>;

/** Translates the request into the platform's terms. */
export const toPostedLines = (lines: readonly OrderLine[]): PostedLine[] => lines.map(toPostedLine);

function toPostedLine(line: OrderLine, at: number, lines: readonly OrderLine[]): PostedLine {
  const own = without(line, readOver);
  if (!own.parentItem) return own;
  const { parentItem: parent, ...posted } = own;
  const isParent = (one: OrderLine, index: number) =>
    index !== at &&
    one.parentItem === undefined &&
    (parent.quoteItemId === undefined ? one.sku === parent.sku : one.quoteItemId === parent.quoteItemId);
  const parentAt = lines.findIndex(isParent);
  return parentAt < 0 ? posted : { ...posted, parentAt };
}
