import type { EntityManager } from '@mikro-orm/postgresql';
import { invalidValue } from '../../../domain/errors.ts';
import {
  defaultSet,
  isFixedInSets,
  isOfPlatform,
  platformAttributes,
  usualSettings,
  type AttributeScope,
  type AttributeSettings,
  type platformAttribute,
  type StoreLabel,
} from '../../../domain/platform/catalog/product-attributes.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';

import type { SearchField } from '../../support/fields.ts';
import { search } from '../../support/search.ts';
import { sql } from '../../support/sql.ts';
import { firstOwnId, type ProductAttributeFound } from './read-product-attributes.ts';

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

const ofPlatform = platformAttributes
  .map(({ code, label, input, backend, scope, isRequired }, at) =>
    [
      at + 1,
      quoted(code),
      quoted(label),
      quoted(input),
      quoted(backend),
      quoted(scope),
      isRequired,
      !isFixedInSets(code),
    ].join(', '),
  )
  .map((row) => `(${row})`)
  .join(', ');

const platformCodes = platformAttributes.map(({ code }) => quoted(code)).join(', ');

/** The options of the attribute with this row, as JSON. */
const optionsOf = (rowId: string) => `coalesce((
  select json_agg(json_build_object('optionId', o.option_id, 'label', o.label, 'storeLabels', o.store_labels)
    order by o.sort_order, o.option_id)
  from product_attribute_option o where o.attribute_id = ${rowId}), '[]'::json)`;

const backends = `case frontend_input
  when 'weee' then 'static' when 'textarea' then 'text' when 'texteditor' then 'text' when 'multiselect' then 'text'
  when 'date' then 'datetime' when 'datetime' then 'datetime' when 'boolean' then 'int' when 'select' then 'int'
  when 'price' then 'decimal' else 'varchar' end`;

const words = 'attribute_id, attribute_code, label, frontend_input, backend_type, scope, is_required, is_user_defined';

/** The settings by which attributes may be found; those of the answer hold where nobody said otherwise. */
const flags = [
  ...['is_visible', 'is_used_for_promo_rules', 'used_in_product_listing', 'used_for_sort_by', 'is_searchable'],
  ...['is_comparable', 'is_filterable', 'is_filterable_in_search', 'is_visible_on_front'],
] as const;

const settingFields = Object.fromEntries(
  flags.map((name): [string, SearchField] => [
    name,
    { column: `coalesce((settings ->> '${name}')::boolean, ${usualSettings[name]})`, type: 'boolean' },
  ]),
);

/** Searches product attributes, the platform's and the shop's own (platform facts 3, 9.1). */
export const searchProductAttributes = (em: EntityManager, criteria: SearchCriteria) =>
  search<ProductAttributeFound>(em, criteria, {
    table: `(
      select p.attribute_id, p.attribute_code, coalesce(k.label, p.label) as label, p.frontend_input, p.backend_type,
        p.scope, p.is_required, p.is_user_defined, p.attribute_code = 'sku' as is_unique,
        coalesce(k.store_labels, '[]') as store_labels, coalesce(k.settings, '{}') as settings, k.attribute_id as row_id
      from (values ${ofPlatform}) p(${words}) left join product_attribute k on k.attribute_code = p.attribute_code
      union all
      select ${firstOwnId} + attribute_id, attribute_code, coalesce(label, attribute_code), frontend_input, ${backends},
        scope, is_required, true, is_unique, store_labels, settings, attribute_id
      from product_attribute where attribute_code not in (${platformCodes})) a`,
    columns: `${words}, is_unique, store_labels, settings, ${optionsOf('row_id')} as options`,
    fields: {
      attribute_id: { column: 'attribute_id', type: 'integer' },
      attribute_code: { column: 'attribute_code', type: 'text' },
      frontend_label: { column: 'label', type: 'text' },
      default_frontend_label: { column: 'label', type: 'text' },
      frontend_input: { column: 'frontend_input', type: 'text' },
      backend_type: { column: 'backend_type', type: 'text' },
      scope: { column: 'scope', type: 'text' },
      is_required: { column: 'is_required', type: 'boolean' },
      is_user_defined: { column: 'is_user_defined', type: 'boolean' },
      position: { column: "coalesce((settings ->> 'position')::integer, 0)", type: 'integer' },
      entity_type_id: { column: '4::integer', type: 'integer' },
      ...settingFields,
    },
    order: 'attribute_id',
  });

/**
 * Makes attributes that nobody has named yet: a line of text that holds everywhere. A repeat makes none. They are in
 * the default set at once, and in other sets as soon as products of those have them.
 */
export async function makeAttributes(em: EntityManager, codes: readonly string[]): Promise<void> {
  // Sorted, so that two concurrent calls never deadlock.
  await make.run(em, { codes: codes.filter((code) => !isOfPlatform(code)).toSorted() });
  await placeAttributes(em, Object.fromEntries(codes.map((code) => [code, ''])), defaultSet);
}

const make = sql('search-product-attributes.make')`
  insert into product_attribute (attribute_code)
  select n.code from unnest($codes::text[]) as n (code)
  where not exists (select from product_attribute a where a.attribute_code = n.code)
  on conflict (attribute_code) do nothing`;

/**
 * Puts attributes that nobody has named yet into the set of a product that has them, in its first group. A repeat
 * changes nothing.
 */
export async function placeAttributes(
  em: EntityManager,
  values: Readonly<Record<string, unknown>>,
  attributeSetId: number = defaultSet,
): Promise<void> {
  const codes = Object.entries(values).flatMap(([code, value]) => (value === null || isOfPlatform(code) ? [] : [code]));
  if (codes.length > 0) await place.run(em, { setId: attributeSetId, codes });
}

const place = sql('search-product-attributes.place')`
  insert into attribute_in_set (attribute_set_id, attribute_group_id, attribute_code)
  select $setId, g.attribute_group_id, a.attribute_code
  from product_attribute a, (
    select attribute_group_id from attribute_group where attribute_set_id = $setId
    order by sort_order, attribute_group_id limit 1) g
  where a.attribute_code = any($codes::text[]) and a.label is null and not exists (
    select from attribute_in_set i where i.attribute_set_id = $setId and i.attribute_code = a.attribute_code)
  order by a.attribute_code
  on conflict (attribute_set_id, attribute_code) do nothing`;

type OfPlatform = NonNullable<ReturnType<typeof platformAttribute>>;

/** Makes the row of one of the platform's own attributes, which the first change of it needs. A repeat makes none. */
export const keepOfPlatform = (em: EntityManager, attributeCode: string, own: OfPlatform): Promise<number> => {
  const { input, label, scope, isRequired } = own;
  return keep.run(em, { attributeCode, input, label, scope, isRequired });
};

const keep = sql('search-product-attributes.keep')`
  insert into product_attribute (attribute_code, frontend_input, label, scope, is_required)
  select $attributeCode::text, $input::text, $label::text, $scope::text, $isRequired::boolean
  where not exists (select from product_attribute a where a.attribute_code = $attributeCode::text)
  on conflict (attribute_code) do nothing`;

/** An option as a caller sends it. On a change, absent fields stay. */
export interface AttributeOptionDraft {
  /** The id of an option that exists; anything else means a new one. */
  value?: string | undefined;
  label?: string | undefined;
  sortOrder?: number | undefined;
  isDefault?: boolean | undefined;
  storeLabels?: readonly StoreLabel[] | undefined;
}

/** An attribute as a caller sends it. On a change, absent fields stay. */
export interface AttributeDraft {
  attributeCode?: string | undefined;
  frontendInput?: string | undefined;
  /** The label above all store views; else that of view 0 among `labels`. */
  label?: string | undefined;
  /** Replaces the labels of all store views. */
  labels?: readonly StoreLabel[] | undefined;
  scope?: AttributeScope | undefined;
  isRequired?: boolean | undefined;
  isUnique?: boolean | undefined;
  settings: AttributeSettings;
  /** Options that are not named stay. */
  options?: readonly AttributeOptionDraft[] | undefined;
}

/** Refused with 400: a label for a store view that does not exist. 0 is above all of them. */
export async function refuseUnknownViews(em: EntityManager, storeIds: readonly number[]): Promise<void> {
  const request = [...new Set(storeIds)].filter((id) => id !== 0);
  if (request.length === 0) return;
  const unknown = await unknownAmong.first(em, { asked: request });
  if (unknown) throw invalidValue('store_id', unknown.storeId);
}

const unknownAmong = sql('search-product-attributes.unknownAmong')`
  select id as store_id from unnest($asked::bigint[]) as id
  where not exists (select from store_view v where v.store_id = id) order by 1 limit 1`;
