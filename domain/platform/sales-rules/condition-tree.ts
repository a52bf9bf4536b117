import { isCalendarDay } from '../../calendar-day.ts';
import { formatUnits, type Amount, type Quantity } from '../../money.ts';
import { skuKey } from '../catalog/tier-rows.ts';

/** The conditions of a promotion, as a tree (platform facts 9.4, 14). Pure data. */

/** Of the platform's class names, the part that tells them apart. */
export const conditionKinds = [
  'Combine',
  'Address',
  'Product',
  'Product\\Combine',
  'Product\\Found',
  'Product\\Subselect',
] as const;
export type ConditionKind = (typeof conditionKinds)[number];

export const conditionOperators = ['==', '!=', '>=', '<=', '>', '<', '{}', '!{}', '()', '!()'] as const;
type ConditionOperator = (typeof conditionOperators)[number];

/** A condition, or a list of them of which `all` or `any` must hold (`value` 1) or fail (`value` 0). */
export interface Condition {
  kind: ConditionKind;
  /** Of a list; null for a comparison. */
  aggregator: 'all' | 'any' | null;
  attribute: string | null;
  operator: ConditionOperator | null;
  /** Empty of a list that was sent without one: the platform takes it as 0. */
  value: string;
  conditions: readonly Condition[];
}

/** True for every cart, and for every line. */
export const anyCart: Condition = always('Combine');
export const anyLine: Condition = always('Product\\Combine');

/** So that one cart is priced quickly, and the stack is never deep. */
const mostConditions = 200;
const mostLevels = 10;

/** What a cart as a whole can be asked for. */
export const cartAttributes = [
  'base_subtotal',
  'base_subtotal_with_discount',
  'base_subtotal_total_incl_tax',
  'total_qty',
  'weight',
  'payment_method',
  'shipping_method',
  'postcode',
  'region',
  'region_id',
  'country_id',
] as const;
type CartAttribute = (typeof cartAttributes)[number];

const cartParts: readonly ConditionKind[] = ['Combine', 'Address', 'Product\\Found', 'Product\\Subselect'];
const lineParts: readonly ConditionKind[] = ['Product\\Combine', 'Product'];
const lists: readonly ConditionKind[] = ['Combine', 'Product\\Combine', 'Product\\Found', 'Product\\Subselect'];

/** A field and its value that stop a tree from being kept. */
export interface ConditionFault {
  field: string;
  value: unknown;
}

/**
 * What is wrong with a tree; undefined when carts can be checked by it. A condition that carts cannot be checked by is
 * never kept, because its promotion would hold for everybody.
 */
function conditionFault(root: Condition, place: 'cart' | 'line'): ConditionFault | undefined {
  if (root.kind !== (place === 'cart' ? 'Combine' : 'Product\\Combine'))
    return { field: 'condition_type', value: root.kind };
  const count = sizeOf(root, 1);
  if (count > mostConditions) return { field: 'conditions', value: count };
  return faultWithin(root, place === 'cart' ? cartParts : lineParts);
}

/** Every condition of a tree, and more than allowed where it is too deep. */
function sizeOf({ conditions }: Condition, level: number): number {
  if (level > mostLevels) return mostConditions + 1;
  return conditions.reduce((sum, one) => sum + sizeOf(one, level + 1), 1);
}

function faultWithin(one: Condition, parts: readonly ConditionKind[]): ConditionFault | undefined {
  if (!parts.includes(one.kind)) return { field: 'condition_type', value: one.kind };
  const own = lists.includes(one.kind) ? listFault(one) : comparisonFault(one);
  if (own) return own;
  const within = one.kind === 'Combine' ? cartParts : lineParts;
  for (const inner of one.conditions) {
    const fault = faultWithin(inner, within);
    if (fault) return fault;
  }
  return undefined;
}

function listFault({ kind, aggregator, attribute, operator, value }: Condition): ConditionFault | undefined {
  if (aggregator === null) return { field: 'aggregator_type', value: null };
  if (kind !== 'Product\\Subselect') return isSwitch(value) ? undefined : { field: 'value', value };
  if (attribute !== 'qty' && attribute !== 'base_row_total') return { field: 'attribute_name', value: attribute };
  return operator === null ? { field: 'operator', value: null } : undefined;
}

function comparisonFault({ kind, attribute, operator, conditions }: Condition): ConditionFault | undefined {
  if (operator === null) return { field: 'operator', value: null };
  const isKnown = kind === 'Address' ? isCartAttribute(attribute) : /^[a-z][a-z0-9_]{0,59}$/.test(attribute ?? '');
  if (!isKnown) return { field: 'attribute_name', value: attribute };
  return conditions.length > 0 ? { field: 'conditions', value: conditions.length } : undefined;
}

const isSwitch = (value: string) => value === '1' || value === '0' || value === '';
const isCartAttribute = (name: string | null) => cartAttributes.some((one) => one === name);

function always(kind: ConditionKind): Condition {
  return { kind, aggregator: 'all', attribute: null, operator: null, value: '1', conditions: [] };
}

/** Whether a promotion holds by itself, or needs one of its coupons (platform facts 9.4). */
export const couponTypes = ['NO_COUPON', 'SPECIFIC_COUPON', 'AUTO'] as const;

/** `0`: none. `1`: the goods of the promotion are shipped free. `2`: the whole cart with such goods is. */
export const freeShippingKinds = ['0', '1', '2'] as const;

/** The name of a promotion in one store view; view 0 is all others. */
export interface RuleLabel {
  storeId: number;
  label: string;
}

/** The fields of a promotion that have rules. */
export interface SalesRuleTerms {
  websiteIds: readonly number[] | null;
  customerGroupIds: readonly number[] | null;
  fromDate: string | null;
  toDate: string | null;
  discountAmount: number;
  discountQty: number;
  discountStep: number;
  usesPerCoupon: number;
  usesPerCustomer: number;
  condition: Condition;
  actionCondition: Condition;
}

/** What is wrong, as the platform's one sentence; undefined when nothing is. */
export function salesRuleFault({ fromDate, toDate, websiteIds, customerGroupIds }: SalesRuleTerms): string | undefined {
  const faults = [
    ...(fromDate && toDate && fromDate > toDate ? ['End Date must follow Start Date.'] : []),
    ...(websiteIds?.length === 0 ? ['Websites must be specified.'] : []),
    ...(customerGroupIds?.length === 0 ? ['Customer Groups must be specified.'] : []),
  ];
  return faults.length === 0 ? undefined : faults.map((fault) => `${fault}; `).join('');
}

/** The first field with a value that it cannot have; undefined when there is none. */
export function wrongSalesRuleField(rule: SalesRuleTerms): { field: string; value: unknown } | undefined {
  const tree = conditionFault(rule.condition, 'cart') ?? conditionFault(rule.actionCondition, 'line');
  if (tree) return tree;
  const counts = [
    ['discount_qty', rule.discountQty],
    ['discount_step', rule.discountStep],
    ['uses_per_coupon', rule.usesPerCoupon],
    ['uses_per_customer', rule.usesPerCustomer],
  ] as const;
  for (const [field, value] of counts) if (value < 0) return { field, value };
  const isDay = (text: string | null) => text === null || isCalendarDay(text);
  if (!isDay(rule.fromDate)) return { field: 'from_date', value: rule.fromDate };
  return isDay(rule.toDate) ? undefined : { field: 'to_date', value: rule.toDate };
}

/** A value that a condition is compared with: text, a list such as categories, or nothing. */
export type Fact = string | readonly string[] | undefined;

/** A line of a cart, as conditions see it. Figures are decimal text in base currency. */
export interface LineFacts {
  /** `quote_item_price`, `quote_item_qty`, `quote_item_row_total`, and the attributes of the product. */
  of(attribute: string): Fact;
  qty: Quantity;
  baseRowTotal: Amount;
}

export interface CartFacts {
  cart: Readonly<Partial<Record<CartAttribute, string>>>;
  lines: readonly LineFacts[];
}

/** Whether the conditions of a promotion hold for a cart (platform facts 9.4). An empty list holds. */
export function holdsForCart(condition: Condition, facts: CartFacts): boolean {
  switch (condition.kind) {
    case 'Address':
      return compares(Reflect.get(facts.cart, condition.attribute ?? ''), condition);
    case 'Product\\Found':
      return (
        facts.lines.some((line) => isListed({ ...condition, value: '1' }, (one) => holdsForLine(one, line))) ===
        isRequested(condition)
      );
    case 'Product\\Subselect':
      return compares(totalOf(condition, facts.lines), condition);
    case 'Combine':
    case 'Product':
    case 'Product\\Combine':
      return isListed(condition, (one) => holdsForCart(one, facts));
  }
}

/** Whether the conditions on goods hold for one line of a cart. An empty list holds. */
export function holdsForLine(condition: Condition, line: LineFacts): boolean {
  if (condition.kind === 'Product') return compares(line.of(condition.attribute ?? ''), condition);
  return isListed(condition, (one) => holdsForLine(one, line));
}

const isRequested = ({ value }: Condition) => value === '1';

function isListed(condition: Condition, holds: (one: Condition) => boolean): boolean {
  const { aggregator, conditions } = condition;
  if (conditions.length === 0) return true;
  const fits = (one: Condition) => holds(one) === isRequested(condition);
  return aggregator === 'any' ? conditions.some(fits) : conditions.every(fits);
}

/** The pieces, or the money, of the lines that the inner conditions hold for. */
function totalOf(condition: Condition, lines: readonly LineFacts[]): string {
  const counted = lines.filter((line) => isListed({ ...condition, value: '1' }, (one) => holdsForLine(one, line)));
  const sum = counted.reduce((all, line) => all + (condition.attribute === 'qty' ? line.qty : line.baseRowTotal), 0);
  return formatUnits(sum);
}

const opposites: Partial<Record<ConditionOperator, ConditionOperator>> = { '!=': '==', '!{}': '{}', '!()': '()' };

/** What is not there matches only an operator that denies. */
function compares(fact: Fact, { operator, value }: Condition): boolean {
  if (operator === null) return false;
  const opposite = opposites[operator];
  if (opposite !== undefined) return !compares(fact, { ...noList, operator: opposite, value });
  if (fact === undefined) return false;
  const facts = typeof fact === 'string' ? [fact] : fact;
  return facts.some((one) => matches(one, operator, value));
}

/** A comparison has nothing below it. */
const noList = { kind: 'Product', aggregator: null, attribute: null, conditions: [] } as const;

function matches(fact: string, operator: ConditionOperator, value: string): boolean {
  switch (operator) {
    case '==':
      return isSame(fact, value);
    case '()':
      return value.split(',').some((one) => isSame(fact, one.trim()));
    case '{}':
      return fact.toLowerCase().includes(value.trim().toLowerCase());
    case '>':
      return inOrder(fact, value, (one, other) => one > other);
    case '>=':
      return inOrder(fact, value, (one, other) => one >= other);
    case '<':
      return inOrder(fact, value, (one, other) => one < other);
    case '<=':
      return inOrder(fact, value, (one, other) => one <= other);
    case '!=':
    case '!{}':
    case '!()':
      return false;
  }
}

/** `10` is `10.00`; words are compared in any case of letters, as SKUs are. */
function isSame(one: string, other: string): boolean {
  if (isNumber(one) && isNumber(other)) return Number(one) === Number(other);
  return skuKey(one) === skuKey(other);
}

const inOrder = (one: string, other: string, holds: (one: number, other: number) => boolean) =>
  isNumber(one) && isNumber(other) && holds(Number(one), Number(other));

const isNumber = (text: string) => /^\s*-?\d{1,15}(?:\.\d{1,10})?\s*$/.test(text);
