import { isDeepStrictEqual } from 'node:util';
import {
  valuesIn,
  viewKey,
  websiteKey,
  withValues,
  type GivenValues,
  type ValuePlace,
} from '../../../domain/platform/catalog/scoped-values.ts';
import { given, type Given } from '../../support/given.ts';
import type { ProductDraft } from './product-draft.ts';
import type { Product } from './product.entity.ts';

/** Above all store views. */
export const everywhere: ValuePlace = { storeId: 0, websiteId: 0 };

type Fields = Omit<Given<ProductDraft>, 'extensionAttributes' | 'stockItem' | 'websiteIds' | 'mediaGalleryEntries'>;
type ScopedFields = 'name' | 'status' | 'visibility';
type GlobalFields = Omit<Fields, ScopedFields> & { name?: string; status?: number; visibility?: number };

/**
 * Writes what has a scope to the store view or the website of the call; above all views, nothing. Null takes an own value
 * away. What a place has from above all views already does not become its own: a repeat would stop it following.
 *
 * @returns the rest, which holds everywhere; null is no value there, so what is known stays
 */
export function assignScopedValues(
  product: Product,
  sent: Fields,
  { storeId, websiteId }: ValuePlace,
): GlobalFields & { customAttributes: Record<string, unknown> } {
  const { customAttributes = {}, name, status, visibility, ...others } = sent;
  const fields = given({ name, status, visibility });
  if (storeId === 0) return { ...others, ...valuesOf(fields), customAttributes };
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
    product.scopedValues = withValues(product.scopedValues, key, newValues(product, key, valuesIn(scope, values)));
  const { customAttributes: ofAll } = valuesIn('global', values);
  return { ...others, customAttributes: ofAll };
}

/** Without what the place has from above all views anyway, as long as it says nothing of its own. */
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

/** A number may come back as the text that it was answered as. */
const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one, other) || (isScalar(one) && isScalar(other) && String(one) === String(other));

const isScalar = (value: unknown) => typeof value === 'string' || typeof value === 'number';

/** What is a value, not null. */
const valuesOf = ({ name, status, visibility }: Pick<Fields, ScopedFields>) => ({
  ...(name == null ? {} : { name }),
  ...(status == null ? {} : { status }),
  ...(visibility == null ? {} : { visibility }),
});
