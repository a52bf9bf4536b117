import { readDayAndTime } from '../../calendar-day.ts';
import { toPlain, type Amount } from '../../money/amount.ts';

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

const rowId = 'Row ID: SKU = %SKU, Store ID: %storeId, Price From: %priceFrom, Price To: %priceTo.';

const ofSpecial = (sentence: string, { sku, storeId, from, to }: SpecialPriceRow, ...first: string[]): PriceFault => ({
  message: `${sentence} ${rowId}`,
  parameters: [...first, sku, String(storeId), from ?? '', to ?? ''],
});

const isDay = (text: string | undefined) =>
  text === undefined || (/^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2})?$/.test(text) && readDayAndTime(text) !== undefined);

export const specialFaults = (row: SpecialPriceRow, { hasProduct, hasStore }: RowContext): PriceFault[] => [
  ...(hasProduct
    ? []
    : [ofSpecial("The product that was requested doesn't exist. Verify the product and try again.", row)]),
  ...(hasStore ? [] : [ofSpecial('Requested store is not found.', row)]),
  ...(isPrice(row.price) ? [] : [ofSpecial('Invalid attribute Price = %price.', row, shown(row.price))]),
  ...(isDay(row.from) ? [] : [ofSpecial('Invalid attribute Price From = %priceFrom.', row)]),
  ...(isDay(row.to) ? [] : [ofSpecial('Invalid attribute Price To = %priceTo.', row)]),
];

export const noSpecialPrice = (row: SpecialPriceRow): PriceFault => ofSpecial('The requested price is not found.', row);
