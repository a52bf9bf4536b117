import { p } from '@mikro-orm/core';
import { columnsOfMoney, inBoth, moneyOf, twins, type InBoth, type Money } from '../../../domain/money.ts';
import { basePrefixed, quantityColumn, zeroAmounts } from '../../support/columns.ts';
import type { RowOf } from '../../support/entity-columns.ts';
import type { OrderItem } from './order-parts.entity.ts';

/** Amounts of both invoices and credit memos, in both currencies (platform facts 6, 7). */
export const documentMoney = [
  'subtotal',
  'subtotalInclTax',
  'discountAmount',
  'shippingAmount',
  'shippingInclTax',
  'shippingTaxAmount',
  'taxAmount',
  'discountTaxCompensationAmount',
  'grandTotal',
] as const;

/** The amounts of one line of such a document. */
const rowMoney = [
  'rowTotal',
  'rowTotalInclTax',
  'taxAmount',
  'discountAmount',
  'discountTaxCompensationAmount',
  'weeeTaxAppliedRowAmount',
] as const;
const priceMoney = ['price', 'priceInclTax'] as const;

export const documentItemMoney = [...priceMoney, ...rowMoney] as const;

/** The figures of a document and of its lines, with their columns. */
export const documentFigures = twins(...documentMoney);
export const rowFigures = twins(...rowMoney);
const priceFigures = twins(...priceMoney);

/** A document's totals as columns. */
export const documentColumns = (totals: InBoth<Money<typeof documentFigures>>) =>
  columnsOfMoney(documentFigures, totals);

/** A line of a document as columns; the prices come from the order's line. */
export const documentRowColumns = (line: RowOf<typeof OrderItem>, row: InBoth<Money<typeof rowFigures>>) => ({
  ...columnsOfMoney(
    priceFigures,
    inBoth((currency) => moneyOf(line, priceFigures, currency)),
  ),
  ...columnsOfMoney(rowFigures, row),
});

/**
 * The columns that a line of an invoice or a credit memo copies from the order's line, and its money in both
 * currencies.
 */
export const documentItemColumns = () => ({
  orderItemId: p.bigint('number').index(),
  productId: p.bigint('number').nullable(),
  sku: p.string().length(255),
  name: p.string().length(255).nullable(),
  qty: quantityColumn(),
  ...zeroAmounts(...documentItemMoney, ...basePrefixed(...documentItemMoney)),
});
