import { readDayAndTime } from '../../calendar-day.ts';
import {
  formatQuantity,
  pieces,
  quantityToWire,
  toPlain,
  wholeInPercent,
  type Amount,
  type Quantity,
} from '../../money.ts';
import {
  groupPriceNotPositive,
  percentageOutOfRange,
  tierPriceDuplicate,
  requestedProductMissing,
} from '../../refusals/catalog.ts';

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

const plain = /^[ -~]*$/;

/**
 * The form of a SKU by which products are told apart, as on the platform: composed (NFC), in small letters. `ÄB` is
 * `äb`, whichever way its letters are put together. The database has the same form: `skuKeyOf`.
 */
export const skuKey = (sku: string): string =>
  plain.test(sku) ? sku.toLowerCase() : Array.from(sku.normalize('NFC'), small).join('');

/** Letter by letter, as the database does: a Σ at the end of a word is small like any other. */
const small = (letter: string) => (letter === 'İ' ? 'i' : letter.toLowerCase());

/** How the catalog writes a SKU; one that it does not have stays as it was given. */
export function storedSkuAmong(known: readonly string[]): (sku: string) => string {
  const stored = new Map(known.map((sku) => [skuKey(sku), sku]));
  return (sku) => stored.get(skuKey(sku)) ?? sku;
}

interface Tier {
  customerGroupId: number;
  websiteId: number;
  /** In 1/10 000, as the figures below. */
  qty: number;
  value: number;
  percentageValue?: number;
}

/** 400: a tier without a price, or with one below zero. */
export const noTierValue = () => groupPriceNotPositive();

/**
 * Checks the tier prices that come with a product, in the platform's words (platform facts 9.1): a price below zero
 * would pay who buys.
 *
 * Refused with 400: a price below zero, a percentage beyond 0 to 100, the same website, group and quantity twice.
 */
export function refuseTierPrices(tiers: readonly Tier[]): void {
  const places = new Set(tiers.map((tier) => `${tier.websiteId} ${tier.customerGroupId} ${tier.qty}`));
  if (places.size < tiers.length) throw tierPriceDuplicate();
  for (const { value, percentageValue = 0 } of tiers) {
    if (value < 0) throw noTierValue();
    if (percentageValue < 0 || percentageValue > wholeInPercent) throw percentageOutOfRange();
  }
}

/** A row's error in the platform's words. The parameters are in the order of the message's own row id. */
export interface PriceFault {
  message: string;
  parameters: string[];
}

export interface BasePriceRow {
  sku: string;
  storeId: number;
  /** Base currency. */
  price: Amount | undefined;
}

export interface CostRow {
  sku: string;
  storeId: number;
  /** Base currency. */
  cost: Amount | undefined;
}

export interface SpecialPriceRow extends BasePriceRow {
  /** `YYYY-MM-DD HH:MM:SS`. */
  from: string | undefined;
  to: string | undefined;
}

export interface RowContext {
  hasProduct: boolean;
  hasStore: boolean;
}

const shown = (value: Amount | undefined) => (value === undefined ? '' : toPlain(value));
const isPrice = (value: Amount | undefined) => value !== undefined && value >= 0;

const attribute = (name: string, value: string): PriceFault => ({
  message: 'Invalid attribute %fieldName = %fieldValue.',
  parameters: [name, value],
});

const noStore = (sku: string, storeId: number): PriceFault => ({
  message: `Requested store is not found. Row ID: SKU = ${sku}, Store ID: ${storeId}.`,
  parameters: [sku, String(storeId)],
});

export const priceFaults = ({ sku, storeId, price }: BasePriceRow, { hasProduct, hasStore }: RowContext) => [
  ...(hasProduct ? [] : [attribute('SKU', sku)]),
  ...(isPrice(price) ? [] : [attribute('Price', shown(price))]),
  ...(hasStore ? [] : [noStore(sku, storeId)]),
];

export const costFaults = ({ sku, storeId, cost }: CostRow, { hasProduct, hasStore }: RowContext): PriceFault[] => [
  ...(hasProduct ? [] : [attribute('SKU', sku)]),
  ...(isPrice(cost)
    ? []
    : [
        {
          message: 'Invalid attribute Cost = %cost. Row ID: SKU = %SKU, Store ID: %storeId.',
          parameters: [shown(cost), sku, String(storeId)],
        },
      ]),
  ...(hasStore ? [] : [noStore(sku, storeId)]),
];

const storedPricesRowId = 'Row ID: SKU = %SKU, Store ID: %storeId, Price From: %priceFrom, Price To: %priceTo.';

const ofSpecial = (sentence: string, { sku, storeId, from, to }: SpecialPriceRow, ...first: string[]): PriceFault => ({
  message: `${sentence} ${storedPricesRowId}`,
  parameters: [...first, sku, String(storeId), from ?? '', to ?? ''],
});

const isDay = (text: string | undefined) =>
  text === undefined || (/^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2})?$/.test(text) && readDayAndTime(text) !== undefined);

export const specialFaults = (row: SpecialPriceRow, { hasProduct, hasStore }: RowContext): PriceFault[] => [
  ...(hasProduct ? [] : [ofSpecial(requestedProductMissing.message, row)]),
  ...(hasStore ? [] : [ofSpecial('Requested store is not found.', row)]),
  ...(isPrice(row.price) ? [] : [ofSpecial('Invalid attribute Price = %price.', row, shown(row.price))]),
  ...(isDay(row.from) ? [] : [ofSpecial('Invalid attribute Price From = %priceFrom.', row)]),
  ...(isDay(row.to) ? [] : [ofSpecial('Invalid attribute Price To = %priceTo.', row)]),
];

export const noSpecialPrice = (row: SpecialPriceRow): PriceFault => ofSpecial('The requested price is not found.', row);
