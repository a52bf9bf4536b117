import type { Amount } from '../../money/amount.ts';
import { formatUnits } from '../../money/fixed-point.ts';
import type { Quantity } from '../../money/quantity.ts';
import { skuKey } from '../catalog/sku-key.ts';
import type { CartAttribute, Condition, ConditionOperator } from './condition-tree.ts';

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
        isAsked(condition)
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

const isAsked = ({ value }: Condition) => value === '1';

function isListed(condition: Condition, holds: (one: Condition) => boolean): boolean {
  const { aggregator, conditions } = condition;
  if (conditions.length === 0) return true;
  const fits = (one: Condition) => holds(one) === isAsked(condition);
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
