import { isDeepStrictEqual } from 'node:util';
import {
  valuesIn,
  viewKey,
  websiteKey,
  withoutEnds,
  withValues,
  type GivenValues,
  type ValuePlace,
} from '../../../domain/platform/catalog/scoped-values.ts';
import { scopeOf as platformScopeOf, type ScopeOf } from '../../../domain/platform/catalog/product-attributes.ts';
import { given, type Given } from '../../support/given.ts';
import type { ProductDraft } from './product-draft.ts';
import type { Product } from './product.entity.ts';

/** Above all store views. */
export const everywhere: ValuePlace = { storeId: 0, websiteId: 0 };

type Fields = Omit<
  Given<ProductDraft>,
  'extensionAttributes' | 'stockItem' | 'websiteIds' | 'mediaGalleryEntries' | 'options' | 'productLinks'
>;
type ScopedFields = 'name' | 'status' | 'visibility';
type GlobalFields = Omit<Fields, ScopedFields> & { name?: string; status?: number; visibility?: number };

/**
 * Writes scoped values to the store view or the website of the call; without a store view, nothing. Null removes the
 * scope's own value. A value equal to the global one does not become an own value, because it would then stop
 * following the global one.
 *
 * @returns the other values, which are global; null does not count there, so a global value stays
 */
export function assignScopedValues(
  product: Product,
  sent: Fields,
  { storeId, websiteId }: ValuePlace,
  scopeOf: ScopeOf = platformScopeOf,
): GlobalFields & { customAttributes: Record<string, unknown> } {
  const { customAttributes = {}, name, status, visibility, ...others } = sent;
  const fields = given({ name, status, visibility });
  if (storeId === 0) {
    if (customAttributes['special_price'] != null) product.scopedValues = withoutEnds(product.scopedValues ?? {});
    return { ...others, ...valuesOf(fields), customAttributes };
  }
  const { tax_class_id: taxClass, ...custom } = customAttributes;
  const values: GivenValues = {
    ...fields,
    ...(taxClass === undefined ? {} : { taxClassId: taxClass === null ? null : Number(taxClass) }),
    customAttributes: custom,
  };
  for (const [scope, key] of [
    ['store', viewKey(storeId)],
    ['website', websiteKey(websiteId)],
  ] as const)
    product.scopedValues = withValues(
      product.scopedValues,
      key,
      newValues(product, key, valuesIn(scope, values, scopeOf)),
    );
  const { customAttributes: ofAll } = valuesIn('global', values, scopeOf);
  return { ...others, customAttributes: ofAll };
}

/** Without values equal to the global ones, as long as the scope has no value of its own. */
function newValues(product: Product, key: string, { customAttributes, ...fields }: GivenValues): GivenValues {
  const own = product.scopedValues[key];
  return {
    ...newOnes(fields, product, own),
    customAttributes: newOnes(customAttributes, product.customAttributes, own?.customAttributes),
  };
}

function newOnes<Values extends object>(values: Values, inherited: object, own: object = {}): Values {
  const kept = { ...values };
  const above = new Map(Object.entries(inherited));
  const said = new Set(Object.keys(own));
  for (const name in kept) if (!said.has(name) && isSame(kept[name], above.get(name))) delete kept[name];
  return kept;
}

/** A number may be sent back as the text of the answer. */
const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one, other) || (isScalar(one) && isScalar(other) && String(one) === String(other));

const isScalar = (value: unknown) => typeof value === 'string' || typeof value === 'number';

/** Values that are not null. */
const valuesOf = ({ name, status, visibility }: Pick<Fields, ScopedFields>) => ({
  ...(name == null ? {} : { name }),
  ...(status == null ? {} : { status }),
  ...(visibility == null ? {} : { visibility }),
});
