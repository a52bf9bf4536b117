import { toPlain, type Amount } from '../../money/amount.ts';
import { formatQuantity, pieces, quantityToWire, type Quantity } from '../../money/quantity.ts';
import type { PriceFault } from './stored-prices.ts';

/** A tier price, with its group's code instead of the id. */
export interface TierRow {
  sku: string;
  /** In base currency, or a discount in percent. */
  price: Amount;
  priceType: string;
  websiteId: number;
  customerGroup: string;
  quantity: Quantity;
}

/** The platform's word for all groups (platform facts 8). */
export const allGroups = 'ALL GROUPS';

const wholePercent = pieces(100);

const rowId = 'Row ID: SKU = %SKU, Website ID: %websiteId, Customer Group: %customerGroup, Quantity: %qty.';

const fault = (sentence: string, row: TierRow, ...first: string[]): PriceFault => ({
  message: `${sentence} ${rowId}`,
  parameters: [...first, row.sku, String(row.websiteId), row.customerGroup, formatQuantity(row.quantity)],
});

/** A row's errors in the platform's words. */
export function tierFaults(
  row: TierRow,
  { hasProduct, hasWebsite, hasGroup }: { hasProduct: boolean; hasWebsite: boolean; hasGroup: boolean },
): PriceFault[] {
  const { price, priceType, quantity } = row;
  const isShare = priceType === 'discount';
  return [
    ...(hasProduct ? [] : [fault('Invalid attribute SKU = %SKU.', row)]),
    ...(price < 0 || (isShare && price > wholePercent)
      ? [fault('Invalid attribute Price = %price.', row, toPlain(price))]
      : []),
    ...(isShare || priceType === 'fixed' ? [] : [fault('Invalid attribute Price Type = %priceType.', row, priceType)]),
    ...(quantityToWire(quantity) > 0 ? [] : [fault('Invalid attribute Quantity = %qty.', row)]),
    ...(hasWebsite ? [] : [fault('Invalid attribute Website ID = %websiteId.', row)]),
    ...(hasGroup ? [] : [fault('No such entity with Customer Group = %customerGroup.', row)]),
  ];
}

export const noTierPrice = (row: TierRow): PriceFault => fault('The requested price is not found.', row);
