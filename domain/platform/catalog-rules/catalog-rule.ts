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
