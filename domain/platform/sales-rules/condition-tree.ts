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
export type ConditionOperator = (typeof conditionOperators)[number];

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
export type CartAttribute = (typeof cartAttributes)[number];

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
export function conditionFault(root: Condition, place: 'cart' | 'line'): ConditionFault | undefined {
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
