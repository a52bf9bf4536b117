import { parseQuantity, none, quantity, type Quantity } from '../money/quantity.ts';

/** The shop's rules for goods without their own; paths and defaults are the platform's (platform facts 9.1, 10). */
export const stockSettingDefaults = {
  /** 0: only what is in stock can be sold; 1 or 2: more can be sold. */
  'cataloginventory/item_options/backorders': '0',
  'cataloginventory/item_options/min_sale_qty': '1',
  'cataloginventory/item_options/max_sale_qty': '10000',
  'cataloginventory/item_options/enable_qty_increments': '0',
  'cataloginventory/item_options/qty_increments': '0',
} as const;

/** The shop's settings as they are stored, by path; a path that is not there has its default. */
export type StockSettings = Readonly<Record<string, string | null>>;

/** The rules of one product. */
export interface StockRules {
  /** 0 none; 1 or 2 allowed. */
  backorders: number;
  minSaleQty: Quantity;
  /** Zero: there is no most. */
  maxSaleQty: Quantity;
  enableQtyIncrements: boolean;
  qtyIncrements: Quantity;
}

/** A product's own rules, as they are stored; null: the shop's rule holds. */
export type OwnStockRules = { readonly [Name in keyof StockRules]: StockRules[Name] | null };

/** The rules that hold for a product: its own, else the shop's. A setting that cannot be read gives the default. */
export function stockRulesOf(own: OwnStockRules, settings: StockSettings): StockRules {
  const shop = shopRules(settings);
  return {
    backorders: own.backorders ?? shop.backorders,
    minSaleQty: own.minSaleQty ?? shop.minSaleQty,
    maxSaleQty: own.maxSaleQty ?? shop.maxSaleQty,
    enableQtyIncrements: own.enableQtyIncrements ?? shop.enableQtyIncrements,
    qtyIncrements: own.qtyIncrements ?? shop.qtyIncrements,
  };
}

type Path = keyof typeof stockSettingDefaults;

function shopRules(settings: StockSettings): StockRules {
  const amountOf = (path: Path) =>
    readQty(settings[path] ?? stockSettingDefaults[path]) ?? readQty(stockSettingDefaults[path]) ?? none;
  const isOn = (settings['cataloginventory/item_options/enable_qty_increments'] ?? '').trim();
  return {
    backorders: ['1', '2'].indexOf((settings['cataloginventory/item_options/backorders'] ?? '').trim()) + 1,
    minSaleQty: amountOf('cataloginventory/item_options/min_sale_qty'),
    maxSaleQty: amountOf('cataloginventory/item_options/max_sale_qty'),
    enableQtyIncrements: isOn === '1' || isOn === 'true',
    qtyIncrements: amountOf('cataloginventory/item_options/qty_increments'),
  };
}

/** The empty text is zero, as on the platform; more than a column holds is no quantity. */
const readable = /^\d{0,9}(?:\.\d{1,4})?$/;

function readQty(text: string): Quantity | undefined {
  const plain = text.trim();
  return readable.test(plain) ? parseQuantity(`0${plain}`) : undefined;
}

/** A rule as a caller sends it: whether the shop's holds, and the product's own. */
export interface GivenRule<Value> {
  usesShops: boolean | null | undefined;
  value: Value | null | undefined;
}

/** What a product without a rule of its own begins with, when a caller says that the shop's does not hold. */
export const firstOwnRules: StockRules = {
  backorders: 0,
  minSaleQty: quantity(10_000),
  maxSaleQty: none,
  enableQtyIncrements: false,
  qtyIncrements: none,
};

/**
 * A product's own rule after a save (platform facts 9.1). The flag decides where both are sent, so that an answer can
 * be sent back. A value without the flag is meant (our choice). Null: the shop's rule holds.
 */
export function ruleAfter<Value>(
  stored: Value | null,
  given: GivenRule<Value> | undefined,
  first: Value,
): Value | null {
  if (given?.usesShops === true) return null;
  if (given?.value !== undefined && given.value !== null) return given.value;
  return given?.usesShops === false ? (stored ?? first) : stored;
}
