import { scopeOf, type AttributeScope } from '../../../domain/platform/catalog/product-attributes.ts';
import { viewKey, websiteKey, type ValuePlace } from '../../../domain/platform/catalog/scoped-values.ts';

/** SQL of a custom attribute, for lists and for their indexes: both must use the same text. */

export const textOf = (code: string) => `(custom_attributes ->> '${code}')`;

/**
 * Null where the attribute is not a number: a caller may have saved any text. The SQL has no `?`, because that marks
 * a parameter.
 */
export const numberOf = (code: string) => numberIn(textOf(code));

export const numberIn = (text: string) =>
  `(case when ${text} ~ '^[0-9]{1,30}([.][0-9]{1,30}){0,1}$' then ${text}::numeric end)`;

/** A custom attribute in a scope: its own value, else the global one. */
export function textAt(code: string, place: ValuePlace, scope: AttributeScope = scopeOf(code)): string {
  const own = ownPath(scope, place, ['customAttributes', code]);
  return own === undefined ? textOf(code) : `coalesce(${own}, ${textOf(code)})`;
}

/** A column in a scope. */
export function columnAt(
  code: string,
  { field, type }: { field: string; type: 'text' | 'integer' },
  place: ValuePlace,
): string {
  const own = ownPath(scopeOf(code), place, [field]);
  if (own === undefined) return code;
  return type === 'text' ? `coalesce(${own}, ${code})` : `coalesce(${own}::bigint, ${code})`;
}

function ownPath(
  scope: AttributeScope,
  { storeId, websiteId }: ValuePlace,
  path: readonly string[],
): string | undefined {
  if (scope === 'global' || storeId === 0) return undefined;
  const key = scope === 'store' ? viewKey(storeId) : websiteKey(websiteId);
  return `(scoped_values #>> '{${[key, ...path].join(',')}}')`;
}

/**
 * SQL of a product's name in a store view, whether it may be sold on a website, and its tax there. The statement
 * joins both.
 */
export const nameIn = (product: string, storeId: string) =>
  `coalesce(${product}.scoped_values #>> array['s' || ${storeId}, 'name'], ${product}.name)`;
export const statusOn = (product: string, websiteId: string) => numberOn(product, websiteId, ['status', 'status']);
export const taxClassOn = (product: string, websiteId: string) =>
  numberOn(product, websiteId, ['taxClassId', 'tax_class_id']);

const numberOn = (product: string, websiteId: string, [field, column]: readonly [string, string]) =>
  `coalesce((${product}.scoped_values #>> array['w' || ${websiteId}, '${field}'])::bigint, ${product}.${column})`;
