import {
  valuesIn,
  viewKey,
  websiteKey,
  withValues,
  type GivenValues,
  type ValuePlace,
} from '../../../domain/platform/catalog/scoped-values.ts';
import type { Given } from '../../support/given.ts';
import type { ProductDraft } from './product-draft.ts';
import type { Product } from './product.entity.ts';

/** Above all store views. */
export const everywhere: ValuePlace = { storeId: 0, websiteId: 0 };

type Fields = Omit<Given<ProductDraft>, 'extensionAttributes' | 'stockItem' | 'websiteIds'>;

/**
 * Writes what has a scope to the store view or the website of the call; above all views, nothing.
 *
 * @returns the rest, which holds everywhere
 */
export function assignScopedValues(
  product: Product,
  given: Fields,
  { storeId, websiteId }: ValuePlace,
): Fields & { customAttributes: Record<string, unknown> } {
  const { customAttributes = {}, ...fields } = given;
  if (storeId === 0) return { ...fields, customAttributes };
  const { name, status, visibility, ...others } = fields;
  const { tax_class_id: taxClass, ...custom } = customAttributes;
  const values: GivenValues = {
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(isTaxClass(taxClass) ? { taxClassId: Number(taxClass) } : {}),
    customAttributes: custom,
  };
  const ofView = withValues(product.scopedValues, viewKey(storeId), valuesIn('store', values));
  product.scopedValues = withValues(ofView, websiteKey(websiteId), valuesIn('website', values));
  const { customAttributes: ofAll } = valuesIn('global', values);
  return { ...others, customAttributes: ofAll };
}

const isTaxClass = (value: unknown) =>
  value !== undefined && value !== null && Number.isInteger(Number(value)) && Number(value) >= 0;
