import type { EntityManager } from '@mikro-orm/postgresql';
import { backendOf } from '../../../domain/platform/catalog/attribute-inputs.ts';
import {
  usualSettings,
  type AttributeSettings,
  type StoreLabel,
} from '../../../domain/platform/catalog/attribute-settings.ts';
import { isFixedInSets } from '../../../domain/platform/catalog/attribute-sets.ts';
import { platformAttributes } from '../../../domain/platform/catalog/product-attributes.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { notFound } from '../../../domain/errors.ts';
import { integer, json, surely, text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { search } from '../../support/search.ts';
import type { SearchField } from '../../support/search-field.ts';
import { statement } from '../../support/statement.ts';
import { ProductAttributeRow } from './product-attribute.entity.ts';

/** An option of an attribute, as the shop keeps it. */
export interface AttributeOptionFound {
  optionId: number;
  label: string;
  storeLabels: StoreLabel[];
}

export interface ProductAttributeFound {
  attribute_id: number;
  attribute_code: string;
  label: string;
  frontend_input: string;
  backend_type: string;
  scope: string;
  is_required: boolean;
  is_user_defined: boolean;
  is_unique: boolean;
  store_labels: readonly StoreLabel[];
  settings: AttributeSettings;
  /** In their order. */
  options: readonly AttributeOptionFound[];
}

/** Ids of the platform's attributes stay below it, also in later releases. */
const firstOwnId = 1_000;

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

const unknownAttribute = 'The attribute with a "%1" attributeCode doesn\'t exist. Verify the attribute and try again.';

/** 404 for an attribute that neither the platform nor the shop has. */
export const noSuchAttribute = (code: string) => notFound(unknownAttribute, [code]);

/** One product attribute by its code or its id, whole, in one round trip. Refused with: 404 unknown. */
export async function readProductAttribute(em: EntityManager, code: string): Promise<ProductAttributeFound> {
  const { wanted, at, own } = named(code);
  const row = await ofShop.first(em, { wanted: own?.code ?? wanted });
  const kept = {
    is_unique: row?.isUnique ?? own?.code === 'sku',
    store_labels: row?.storeLabels ?? [],
    settings: row?.settings ?? {},
    options: row?.options ?? [],
  };
  if (own) {
    const { label, input, backend, scope, isRequired } = own;
    return {
      ...{ attribute_id: at + 1, attribute_code: own.code, label: row?.label ?? label, frontend_input: input },
      ...{ backend_type: backend, scope, is_required: isRequired, is_user_defined: !isFixedInSets(own.code), ...kept },
    };
  }
  if (!row) throw noSuchAttribute(code);
  return {
    ...{ attribute_id: row.shownId, attribute_code: row.attributeCode, label: row.label ?? row.attributeCode },
    ...{ frontend_input: row.frontendInput, backend_type: backendOf(row.frontendInput), scope: row.scope },
    ...{ is_required: row.isRequired, is_user_defined: true, ...kept },
  };
}

/** Which attribute is meant. */
export interface AttributeKey {
  attribute_id: number;
  attribute_code: string;
}

/**
 * The id and code of an attribute, by either. The platform's are known without the database. Refused with: 404 unknown.
 */
export async function findProductAttribute(em: EntityManager, code: string): Promise<AttributeKey> {
  const found = await lookUpProductAttribute(em, code);
  if (!found) throw noSuchAttribute(code);
  return found;
}

/** As `findProductAttribute`; undefined: unknown. */
export async function lookUpProductAttribute(em: EntityManager, code: string): Promise<AttributeKey | undefined> {
  const { wanted, at, own } = named(code);
  if (own) return { attribute_id: at + 1, attribute_code: own.code };
  const found = await keyOf.first(em, { wanted });
  return found && { attribute_id: found.shownId, attribute_code: found.attributeCode };
}

function named(code: string) {
  const wanted = /^\d+$/.test(code) ? String(Number(code)) : code.toLowerCase();
  const at = platformAttributes.findIndex((one, index) => one.code === wanted || String(index + 1) === wanted);
  return { wanted, at, own: platformAttributes[at] };
}

const meant = `lower(attribute_code) = $wanted or (${firstOwnId} + attribute_id)::text = $wanted`;

const ofShop = statement({
  takes: { wanted: text },
  gives: {
    shownId: surely(integer),
    ...of(ProductAttributeRow, 'attributeCode', 'frontendInput', 'label', 'storeLabels', 'scope'),
    ...of(ProductAttributeRow, 'isRequired', 'isUnique', 'settings'),
    options: surely(json<AttributeOptionFound[]>()),
  },
  text: `
    select ${firstOwnId} + attribute_id as shown_id, attribute_code, frontend_input, label, store_labels, scope,
      is_required, is_unique, settings, ${optionsOf('a.attribute_id')} as options
    from product_attribute a where ${meant}`,
});

const keyOf = statement({
  takes: { wanted: text },
  gives: { shownId: surely(integer), ...of(ProductAttributeRow, 'attributeCode') },
  text: `select ${firstOwnId} + attribute_id as shown_id, attribute_code from product_attribute where ${meant}`,
});
