import { PosError, type InputError } from '../errors.ts';
import { isWhole, minus, none, parseQuantity, plus, quantity, quantityToWire, type Quantity } from '../money.ts';

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
export interface PostedRule<Value> {
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
  input: PostedRule<Value> | undefined,
  first: Value,
): Value | null {
  if (input?.usesShops === true) return null;
  if (input?.value !== undefined && input.value !== null) return input.value;
  return input?.usesShops === false ? (stored ?? first) : stored;
}

export interface StockTransfer {
  from: string;
  to: string;
  items: readonly { sku: string; qty: Quantity }[];
}

/** The sources and goods that a transfer names. */
export interface TransferFacts {
  sources: ReadonlySet<string>;
  /** The quantity at the origin, by sku. */
  atOrigin: ReadonlyMap<string, Quantity>;
}

/**
 * The reasons that forbid moving goods between two sources, all at once, in the platform's words (platform facts 14).
 */
export function transferErrors({ from, to, items }: StockTransfer, { sources, atOrigin }: TransferFacts): InputError[] {
  if (from === to) return [{ message: 'Cannot transfer a source on itself', parameters: [] }];
  const requested = new Map<string, number>();
  for (const { sku, qty } of items) requested.set(sku, (requested.get(sku) ?? 0) + qty);
  const skus = [...requested.keys()];
  const notAtOrigin = sources.has(from) ? skus.filter((sku) => !atOrigin.has(sku)) : skus;
  return [
    ...(sources.has(from) ? [] : [unknownSource('Origin', from)]),
    ...(sources.has(to) ? [] : [unknownSource('Destination', to)]),
    ...notAtOrigin.map((sku) => noItem(sku, from)),
    ...(sources.has(to) ? [] : skus.map((sku) => noItem(sku, to))),
    ...items
      .filter(({ qty }) => qty <= none)
      .map(({ sku }) => ({ message: 'The quantity of "%sku" must be greater than zero.', parameters: { sku } })),
    ...[...requested]
      .filter(([sku, qty]) => qty > (atOrigin.get(sku) ?? qty))
      .map(([sku]) => ({ message: 'Requested transfer amount for sku %sku is not available', parameters: { sku } })),
  ];
}

const unknownSource = (which: 'Origin' | 'Destination', sourceCode: string): InputError => ({
  message: `${which} source %sourceCode does not exist`,
  parameters: { sourceCode },
});

const noItem = (sku: string, code: string): InputError => ({
  message: '%message',
  parameters: { message: `Source item for ${sku} and ${code} does not exist` },
});

/** The inventory's envelope for transfers: it has the list even for a single error (platform facts 2.2). */
export const transferRefused = (errors: readonly InputError[]) =>
  new PosError({ status: 400, message: 'Transfer validation failed', errors });

/** Promotions on the catalog's own prices (platform facts 9.3). Pure data. */

/** How a rule changes a price. The database function `catalog_rule_price` is the one place that does it. */
export const catalogRuleActions = ['by_percent', 'by_fixed', 'to_percent', 'to_fixed'] as const;
export type CatalogRuleAction = (typeof catalogRuleActions)[number];

/** Whether all conditions must hold, or one of them. */
export const aggregators = ['all', 'any'] as const;

/**
 * `is_one_of` and `is_not_one_of` compare whole values; `contains` looks for a part, whatever its case; `at_least`
 * and `at_most` compare numbers. A product without the attribute matches only `is_not_one_of`.
 */
export const conditionOperators = ['is_one_of', 'is_not_one_of', 'contains', 'at_least', 'at_most'] as const;
export type ConditionOperator = (typeof conditionOperators)[number];

/** One condition: on `sku`, `category_ids`, `price`, `type_id`, `attribute_set_id`, `name`, or any custom attribute. */
export interface CatalogRuleCondition {
  attribute: string;
  operator: ConditionOperator;
  values: readonly string[];
}

const isNumber = (value: string) => /^-?\d{1,15}(?:\.\d{1,10})?$/.test(value);

/** What is wrong with a condition, for people; undefined when it is right. */
export function conditionFault({ attribute, operator, values }: CatalogRuleCondition): string | undefined {
  if (!/^[a-z][a-z0-9_]{0,59}$/.test(attribute)) return 'attribute';
  if (values.length === 0) return 'values';
  const isSingle = operator === 'contains' || operator === 'at_least' || operator === 'at_most';
  if (isSingle && values.length > 1) return 'values';
  if ((operator === 'at_least' || operator === 'at_most') && !values.every(isNumber)) return 'values';
  return undefined;
}

/** The caller's copy, and the present state (spec 4.5). */
export interface Freshness {
  /** The `indexed_at` of the caller's copy. */
  ifIndexedAfter: Date | undefined;
  /** When prices last changed; null: never. */
  indexedAt: Date | null;
  /** The day for which prices were indexed; null: none yet. */
  day: string | null;
  /** In the website's zone. */
  today: string;
}

/**
 * Whether the caller's prices still hold: no indexing since then, and no new day since the last indexing. Without
 * `ifIndexedAfter` the answer is always false.
 */
export const isUnchanged = ({ ifIndexedAfter, indexedAt, day, today }: Freshness): boolean =>
  ifIndexedAfter !== undefined && indexedAt !== null && day === today && ifIndexedAfter >= indexedAt;

/** The rules of a product for the quantity of one sale. */
export interface QuantityRules extends Omit<StockRules, 'backorders'> {
  isQtyDecimal: boolean;
}

/** Why a quantity cannot be sold: the platform's code, and its sentence with what belongs in it. */
export interface BrokenRule {
  code: string;
  message: string;
  parameters: readonly number[];
}

/**
 * The first rule that a quantity breaks, in the platform's codes and words (platform facts 10). A most of zero is none.
 * Steps count from zero, and only where they are enabled.
 */
export function brokenRule(rules: QuantityRules, qty: Quantity): BrokenRule | undefined {
  const { isQtyDecimal, minSaleQty, maxSaleQty, enableQtyIncrements, qtyIncrements } = rules;
  if (!isQtyDecimal && !isWhole(qty))
    return because('is_qty_decimal', 'You cannot use decimal quantity for this product.');
  if (qty < minSaleQty) return because('min_sale_qty', 'The fewest you may purchase is %1.', minSaleQty);
  if (maxSaleQty > none && qty > maxSaleQty)
    return because('max_sale_qty', 'The requested qty exceeds the maximum qty allowed in shopping cart');
  if (enableQtyIncrements && qtyIncrements > none && qty % qtyIncrements !== 0)
    return because('qty_increment', 'You can buy this product only in quantities of %1 at a time.', qtyIncrements);
  return undefined;
}

const because = (rule: string, message: string, ...values: Quantity[]): BrokenRule => ({
  code: `is_correct_qty-${rule}`,
  message,
  parameters: values.map(quantityToWire),
});

/** How a product stands in a stock. */
export interface StockStanding extends QuantityRules {
  /** Whether a source of the stock has, or had, some of it. */
  isAssigned: boolean;
  /** Whether such a source is enabled: others count for nothing. */
  isCounted: boolean;
  isManaged: boolean;
  isInStock: boolean;
  allowsBackorders: boolean;
  /** How many are salable. */
  quantity: Quantity;
}

export interface QuantityError {
  code: string;
  message: string;
}

/**
 * The reasons that forbid a sale of this quantity, in the platform's codes and words (platform facts 10); empty when
 * none does. First come those that forbid it by themselves. Else one of three must permit it: backorders, stock that is
 * not managed, or enough of it; where none does, all three are told.
 */
export function quantityErrors(product: StockStanding | undefined, qty: Quantity): QuantityError[] {
  if (!product || (product.isManaged && !product.isAssigned))
    return one('requested-sku-is-not-assigned-to-given-stock', 'The requested sku is not assigned to given stock.');
  if (product.isManaged && product.isCounted && !product.isInStock)
    return one(
      'is_any_source_item_in_stock-no_source_items_in_stock',
      'There are no source items with the in stock status',
    );
  const broken = brokenRule(product, qty);
  if (broken) return one(broken.code, broken.message.replace('%1', String(broken.parameters[0])));
  // Nothing can be sold of nothing, also where the product has no least quantity.
  if (qty <= none) return one('is_correct_qty-min_sale_qty', 'The fewest you may purchase is 1.');
  if (!product.isManaged || (product.isCounted && (product.allowsBackorders || qty <= product.quantity))) return [];
  return [
    ...(product.allowsBackorders ? [] : one('back_order-disabled', 'Backorders are disabled')),
    ...one('manage_stock-enabled', 'Manage stock is enabled'),
    ...(product.isCounted
      ? one('is_salable_with_reservations-not_enough_qty', 'Not enough items for sale')
      : one('is_salable_with_reservations-no_data', 'The requested sku is not assigned to given stock')),
  ];
}

const one = (code: string, message: string): QuantityError[] => [{ code, message }];

/** The quantity at one source of a stock, and the product's rules for running out. */
export interface SourceQuantity {
  quantity: Quantity;
  isInStock: boolean;
}

/** Stock rules of a product: the threshold at which it is sold out, and whether it may be sold below that. */
export interface RunOutRules {
  minQty: Quantity;
  allowsBackorders: boolean;
}

/**
 * How many may still be sold: the quantity in stock, less reservations (which are signed), less the minimum kept
 * (platform facts 10). Zero when no source has any in stock.
 */
export function salableQuantity(sources: readonly SourceQuantity[], reserved: Quantity, minQty: Quantity): Quantity {
  const inStock = sources.filter((source) => source.isInStock);
  if (inStock.length === 0) return none;
  return minus(plus(...inStock.map((source) => source.quantity), reserved), minQty);
}

/** A source item runs out at the product's threshold unless backorders are allowed, and is back above it. */
export const isInStock = (quantity: Quantity, { minQty, allowsBackorders }: RunOutRules) =>
  allowsBackorders || quantity > minQty;
