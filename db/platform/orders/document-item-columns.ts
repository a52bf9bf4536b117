import { p } from '@mikro-orm/core';
import { basePrefixed, quantityColumn, zeroAmounts } from '../../support/columns.ts';
import { documentItemMoney } from './document-money.ts';

/**
 * The columns that a line of an invoice or a credit memo copies from the order's line, and its money in both
 * currencies.
 */
export const documentItemColumns = () => ({
  orderItemId: p.integer().index(),
  productId: p.integer().nullable(),
  sku: p.string().length(255),
  name: p.string().length(255).nullable(),
  qty: quantityColumn(),
  ...zeroAmounts(...documentItemMoney, ...basePrefixed(...documentItemMoney)),
});
