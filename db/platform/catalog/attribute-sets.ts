import type { EntityManager } from '@mikro-orm/postgresql';
import { fieldRequired, invalid, invalidValue } from '../../../domain/errors.ts';
import {
  codeOf,
  entityTypes,
  isAttributeCode,
  isAttributeInput,
  isOfPlatform,
  isReservedCode,
  labelAbove,
  ofViews,
  productEntity,
} from '../../../domain/platform/catalog/product-attributes.ts';
import { typedValue } from '../../../domain/platform/catalog/scoped-values.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { alreadyExists } from '../../../domain/refusals/platform.ts';
import { definedFields } from '../../support/defined-fields.ts';
import { search } from '../../support/search.ts';
import { sql } from '../../support/sql.ts';
import { transact } from '../../support/transact.ts';
import { lockAttribute, takesOptions, writeAttributeOptions } from './attribute-options.ts';
import type { ProductAttributeRow } from './product.entity.ts';
import type { AttributeSetFound } from './read-attribute-sets.ts';
import { refuseUnknownViews, type AttributeDraft } from './search-product-attributes.ts';
import { forgetUniqueValues, noteUniqueValues } from './unique-values.ts';

/** Whether another set has the name, in any case of letters. */
export const hasSameName = async (tx: EntityManager, input: { name: string; butOf: number }): Promise<boolean> =>
  (await sameName.first(tx, input))?.isSaid === true;

/** Makes a set with the groups and attributes of another; undefined: its name was taken meanwhile. */
export async function copySet(
  tx: EntityManager,
  { skeletonId, ...set }: { skeletonId: number; name: string; sortOrder: number },
): Promise<number | undefined> {
  const made = await add.first(tx, set);
  if (!made) return undefined;
  await copyGroups.run(tx, { from: skeletonId, to: made.id });
  await copyAttributes.run(tx, { from: skeletonId, to: made.id });
  return made.id;
}

const sameName = sql('attribute-sets.sameName')`
  select exists (select from attribute_set
    where lower(attribute_set_name) = lower($name) and attribute_set_id <> $butOf) as is_said`;

const add = sql('attribute-sets.add')`
  insert into attribute_set (attribute_set_name, sort_order) values ($name, $sortOrder)
  on conflict (attribute_set_name) do nothing returning attribute_set_id as id`;

const copyGroups = sql('attribute-sets.copyGroups')`
  insert into attribute_group (attribute_set_id, attribute_group_name, attribute_group_code, sort_order)
  select $to, attribute_group_name, attribute_group_code, sort_order from attribute_group
  where attribute_set_id = $from order by attribute_group_id`;

const copyAttributes = sql('attribute-sets.copyAttributes')`
  insert into attribute_in_set (attribute_set_id, attribute_group_id, attribute_code, sort_order)
  select $to, made.attribute_group_id, a.attribute_code, a.sort_order
  from attribute_in_set a
  join attribute_group known on known.attribute_group_id = a.attribute_group_id
  join attribute_group made
    on made.attribute_set_id = $to and made.attribute_group_code = known.attribute_group_code
  where a.attribute_set_id = $from order by a.entity_attribute_id`;

/** Whether products are of the set. */
export const hasProducts = async (tx: EntityManager, id: number): Promise<boolean> =>
  (await isUsed.first(tx, { id }))?.isSaid === true;

const isUsed = sql('attribute-sets.isUsed')`
  select exists (select from product where attribute_set_id = $id) as is_said`;

interface PlaceInSet {
  attributeSetId: number;
  attributeGroupId: number;
  attributeCode: string;
  sortOrder: number;
}

/** Puts an attribute into a group of a set, wherever in the set it was. */
export const putIntoSet = (tx: EntityManager, place: PlaceInSet) => put.first(tx, place);

const put = sql('attribute-sets.put')`
  insert into attribute_in_set (attribute_set_id, attribute_group_id, attribute_code, sort_order)
  values ($attributeSetId, $attributeGroupId, $attributeCode, $sortOrder)
  on conflict (attribute_set_id, attribute_code)
    do update set attribute_group_id = excluded.attribute_group_id, sort_order = excluded.sort_order
  returning entity_attribute_id as id`;

const columns = 'attribute_set_id, attribute_set_name, sort_order, entity_type_id';

const ofProducts = `
  select attribute_set_id, attribute_set_name, sort_order, ${productEntity} as entity_type_id from attribute_set`;

/** The sets of other records: each has the one, and nobody changes it. */
const ofOthers = entityTypes
  .map((_, at) => at + 1)
  .filter((id) => id !== productEntity)
  .map((id) => `select ${id}, 'Default', 1, ${id}`)
  .join(' union all ');

const codes = `(array[${entityTypes.map((code) => `'${code}'`).join(', ')}])[entity_type_id]`;

/** Searches the attribute sets of products and of all other records, which are constants. */
export const searchEverySet = (em: EntityManager, criteria: SearchCriteria) =>
  search<AttributeSetFound>(em, criteria, {
    table: `(${ofProducts} union all ${ofOthers}) s`,
    columns,
    fields: {
      attribute_set_id: { column: 'attribute_set_id', type: 'integer' },
      attribute_set_name: { column: 'attribute_set_name', type: 'text' },
      sort_order: { column: 'sort_order', type: 'integer' },
      entity_type_id: { column: 'entity_type_id', type: 'integer' },
      entity_type_code: { column: codes, type: 'text' },
    },
    order: 'attribute_set_id',
  });

export const codeIsReserved = "The attribute code '%1' is reserved by system. Please try another attribute code";
/**
 * Creates an attribute of the shop's own, with its options (platform facts 9.1). Without a code it gets one from its
 * label. A repeat is refused, because its code is taken; of eight concurrent ones, one is carried out.
 *
 * Refused with 400: no label · a code of the wrong form, reserved or taken · an unknown input or store view · a default
 * that no product could have · an option without a label. Options of one label are one option.
 *
 * @returns its code
 */
export const createProductAttribute = (em: EntityManager, draft: AttributeDraft): Promise<string> =>
  transact(em, async (tx) => {
    const { labels = [], frontendInput: input } = draft;
    const label = draft.label || labelAbove(labels);
    if (!label && labels.length === 0) throw fieldRequired('frontend_label');
    if (!label) throw invalidValue('frontend_label', null);
    const code = draft.attributeCode || codeOf(label);
    if (!isAttributeCode(code)) throw invalidValue('attribute_code', code);
    if (!input || !isAttributeInput(input)) throw invalidValue('frontend_input', input ?? null);
    if (isReservedCode(code)) throw invalid(codeIsReserved, [code]);
    if (isOfPlatform(code) || (await productAttributeAdd.run(tx, { code, input })) === 0) throw taken();
    await assign(tx, await lockAttribute(tx, code), { ...draft, label, options: asNew(draft.options) });
    return code;
  });

/**
 * Changes the fields sent of an attribute, by its code or its id (platform facts 9.1). The input stays, as on the
 * platform, unless the attribute came with a product and nobody has named it. Of one of the platform's only labels,
 * options and settings change. A repeat changes nothing.
 *
 * Refused with: 404 unknown · 400 an unknown input or store view, a default that no product could have, an option that
 * `writeAttributeOptions` refuses.
 */
export const changeProductAttribute = (em: EntityManager, code: string, draft: AttributeDraft): Promise<void> =>
  transact(em, async (tx) => {
    const row = await lockAttribute(tx, code);
    const { frontendInput: input } = draft;
    if (input && row.label === null && row.frontendInput !== 'weee') {
      if (!isAttributeInput(input)) throw invalidValue('frontend_input', input);
      row.frontendInput = input;
    }
    await assign(tx, row, draft);
  });

async function assign(tx: EntityManager, row: ProductAttributeRow, draft: AttributeDraft): Promise<void> {
  const { labels, options = [], scope, isRequired, isUnique } = draft;
  const views = [...(labels ?? []), ...options.flatMap(({ storeLabels = [] }) => storeLabels)];
  await refuseUnknownViews(
    tx,
    views.map(({ storeId }) => storeId),
  );
  row.label = draft.label || labelAbove(labels) || (row.label ?? row.attributeCode);
  if (labels) row.storeLabels = ofViews(labels);
  row.settings = { ...row.settings, ...definedFields(draft.settings) };
  if (!isOfPlatform(row.attributeCode)) {
    row.scope = scope ?? row.scope;
    row.isRequired = isRequired ?? row.isRequired;
    await setUnique(tx, row, isUnique ?? row.isUnique);
  }
  refuseWrongDefault(row);
  await tx.flush();
  if (takesOptions(row)) await writeAttributeOptions(tx, row, options);
}

/** 400 for a default that no product could have. Those of choices are options. */
export function refuseWrongDefault(row: ProductAttributeRow): void {
  const { attributeCode: code, frontendInput: input, settings } = row;
  if (takesOptions(row) || typedValue({ code, input }, settings.default_value) !== undefined) return;
  if (settings.default_value) throw invalidValue('default_value', settings.default_value);
}

/** A product that is saved at the same moment is asked with its next save. */
async function setUnique(tx: EntityManager, row: ProductAttributeRow, isUnique: boolean): Promise<void> {
  const { attributeId, attributeCode: code } = row;
  if (isUnique && !row.isUnique) await noteUniqueValues(tx, { attributeId, code });
  if (!isUnique && row.isUnique) await forgetUniqueValues(tx, attributeId);
  row.isUnique = isUnique;
}

/** Ids of options are those of another shop, or none: a new attribute has no options yet. */
const asNew = (options: AttributeDraft['options']) => options?.map(({ value: _value, ...option }) => option);

const taken = () => alreadyExists(['Attribute with the same code']);

const productAttributeAdd = sql('attribute-sets.productAttributeAdd')`
  insert into product_attribute (attribute_code, frontend_input) values ($code, $input)
  on conflict (attribute_code) do nothing`;
