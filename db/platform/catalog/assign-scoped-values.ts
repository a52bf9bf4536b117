import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, invalidValue } from '../../../domain/errors.ts';
import { idIn } from '../../../domain/ids.ts';
import {
  defaultSet,
  scopeOf as platformScopeOf,
  type ScopeOf,
} from '../../../domain/platform/catalog/product-attributes.ts';
import {
  missingValue,
  ownValuesAt,
  valuesIn,
  viewKey,
  websiteKey,
  withoutEnds,
  withValues,
  type AttributeDemand,
  type PostedValues,
  type ValuePlace,
} from '../../../domain/platform/catalog/scoped-values.ts';
import { definedFields, type Input } from '../../support/defined-fields.ts';
import { sql } from '../../support/sql.ts';
import { emptyAttribute, type ProductDraft } from './attributes.ts';
import type { Product } from './product.entity.ts';

/** Above all store views. */
export const everywhere: ValuePlace = { storeId: 0, websiteId: 0 };

type Fields = Omit<
  Input<ProductDraft>,
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
  const fields = definedFields({ name, status, visibility });
  if (storeId === 0) {
    if (customAttributes['special_price'] != null) product.scopedValues = withoutEnds(product.scopedValues ?? {});
    return { ...others, ...valuesOf(fields), customAttributes };
  }
  const { tax_class_id: taxClass, ...custom } = customAttributes;
  const values: PostedValues = {
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
function newValues(product: Product, key: string, { customAttributes, ...fields }: PostedValues): PostedValues {
  const own = product.scopedValues[key];
  return {
    ...newOnes(fields, product, own),
    customAttributes: newOnes(customAttributes, product.customAttributes, own?.customAttributes),
  };
}

function newOnes<Values extends object>(values: Values, inherited: object, own: object = {}): Values {
  const stored = { ...values };
  const above = new Map(Object.entries(inherited));
  const ownKeys = new Set(Object.keys(own));
  for (const name in stored) if (!ownKeys.has(name) && isSame(stored[name], above.get(name))) delete stored[name];
  return stored;
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

export const noSuchSet = 'Invalid product data: %1';
const isNone = 'Invalid attribute set entity type';

/** 400 for a set that is not there. One that is cannot be deleted before this transaction ends. */
export async function refuseUnknownSet(em: EntityManager, attributeSetId: number): Promise<void> {
  if (attributeSetId === defaultSet) return;
  if (!(await keep.first(em, { attributeSetId }))) throw invalid(noSuchSet, [isNone]);
}

/** 400 for a product without a value that its set demands; `values` are those of the place where it is saved. */
export function refuseMissingValues(
  { typeId, extensionAttributes }: Product,
  demands: readonly AttributeDemand[],
  values: Readonly<Record<string, unknown>>,
): void {
  const chosen = new Set(demands.filter((one) => isChosen(one, extensionAttributes)).map(({ code }) => code));
  const missing = missingValue(demands, { values, typeId, chosen });
  if (missing) throw emptyAttribute(missing.label);
}

/** Ids of the shop's own attributes, as callers have them, are above those of the platform. */
const firstOwnId = 1_000;

/** Whether customers choose a variation by it: then the variations have its values. */
function isChosen({ attributeId, code }: AttributeDemand, extensionAttributes: Readonly<Record<string, unknown>>) {
  const options: unknown = extensionAttributes['configurable_product_options'];
  if (!Array.isArray(options)) return false;
  return options.some((option: unknown) => {
    if (typeof option !== 'object' || option === null || !('attribute_id' in option)) return false;
    return [code, String(firstOwnId + attributeId)].includes(String(option.attribute_id));
  });
}

const keep = sql('assign-scoped-values.keep')`
  select attribute_set_id from attribute_set where attribute_set_id = $attributeSetId for key share`;

/**
 * Whether the shop has more than one store view. With only one, values are saved as global ones, as the platform does.
 */
export const hasViews = async (em: EntityManager): Promise<boolean> => (await several.first(em))?.areSeveral === true;

const several = sql('assign-scoped-values.several')`
  select count(*) > 1 as are_several from (select from store_view where store_id > 0 limit 2) as views`;

/** Whether these websites have more than one store view together. */
export const areSeenInViews = async (em: EntityManager, websiteIds: readonly number[]): Promise<boolean> =>
  (await severalOf.first(em, { websiteIds }))?.areSeveral === true;

const severalOf = sql('assign-scoped-values.severalOf')`
  select count(*) > 1 as are_several from (
    select from store_view where store_id > 0 and website_id = any($websiteIds::bigint[]) limit 2) as views`;

/** 400 for a category that is not there. Those that are cannot be deleted before this transaction ends. */
export async function refuseUnknownCategories(em: EntityManager, fieldName: string, ids: readonly string[]) {
  if (ids.length === 0) return;
  const found = await keepRefuseUnknownCategories.all(em, { ids: ids.flatMap((id) => idIn(id) ?? []) });
  const known = new Set(found.map(({ entityId }) => String(entityId)));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw invalidValue(fieldName, unknown);
}

const keepRefuseUnknownCategories = sql('assign-scoped-values.keepRefuseUnknownCategories')`
  select entity_id from category where entity_id = any($ids) order by entity_id for key share`;

type Attributes = Record<string, unknown>;

const isAnswered = (value: unknown) => value !== undefined && value !== null && value !== '';

/**
 * Adds the first day to a special price that was sent without one, as the platform does (platform facts 14): today, in
 * the time zone where the day begins last, so that the price holds on every website at once. A first day that is known
 * in that place stays.
 */
export async function withFirstDay(
  em: EntityManager,
  product: Product,
  { given, own, now }: { given: Attributes; own: ValuePlace; now: Date },
): Promise<Attributes> {
  const ofPlace = ownValuesAt(product.scopedValues ?? {}, own)?.customAttributes;
  const known = ofPlace?.['special_from_date'] ?? product.customAttributes?.['special_from_date'];
  if (!isAnswered(given['special_price']) || isAnswered(given['special_from_date']) || isAnswered(known)) return given;
  const first = await firstDay(em, now);
  return first ? { ...given, special_from_date: first } : given;
}

/** Today, in the time zone where the day begins last; undefined where there is no website. */
export async function firstDay(em: EntityManager, now: Date): Promise<string | undefined> {
  const row = await today.first(em, { now });
  return row && `${row.today} 00:00:00`;
}

const today = sql('assign-scoped-values.today')`
  select min(($now::timestamptz at time zone time_zone)::date) as today from website where website_id > 0
  having count(*) > 0`;
