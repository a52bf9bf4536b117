import type { EntityManager } from '@mikro-orm/postgresql';
import { platformAttributes } from '../../../domain/platform/catalog/product-attributes.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { notFound } from '../../../domain/errors.ts';
import { integer, surely, text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { search } from '../../support/search.ts';
import type { SearchField } from '../../support/search-field.ts';
import { statement } from '../../support/statement.ts';
import { ProductAttributeRow } from './product-attribute.entity.ts';

export interface ProductAttributeFound {
  attribute_id: number;
  attribute_code: string;
  label: string;
  frontend_input: string;
  backend_type: string;
  scope: string;
  is_required: boolean;
  is_user_defined: boolean;
}

/** Ids of the platform's attributes stay below it, also in later releases. */
const firstOwnId = 1_000;

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

const ofPlatform = platformAttributes
  .map(({ code, label, input, backend, scope, isRequired }, at) =>
    [at + 1, quoted(code), quoted(label), quoted(input), quoted(backend), quoted(scope), isRequired, false].join(', '),
  )
  .map((row) => `(${row})`)
  .join(', ');

const columns =
  'attribute_id, attribute_code, label, frontend_input, backend_type, scope, is_required, is_user_defined';

/** What the answer says of every attribute alike may be asked for, too. */
const sameForAll: Readonly<Record<string, SearchField>> = {
  position: { column: '0::integer', type: 'integer' },
  entity_type_id: { column: '4::integer', type: 'integer' },
  is_visible: { column: 'true::boolean', type: 'boolean' },
  is_used_for_promo_rules: { column: 'true::boolean', type: 'boolean' },
  used_in_product_listing: { column: 'true::boolean', type: 'boolean' },
  used_for_sort_by: { column: 'true::boolean', type: 'boolean' },
  is_searchable: { column: 'false::boolean', type: 'boolean' },
  is_comparable: { column: 'false::boolean', type: 'boolean' },
  is_filterable: { column: 'false::boolean', type: 'boolean' },
  is_filterable_in_search: { column: 'false::boolean', type: 'boolean' },
  is_visible_on_front: { column: 'false::boolean', type: 'boolean' },
};

/** Searches product attributes, the platform's and the shop's own (platform facts 3, 9.1). */
export const searchProductAttributes = (em: EntityManager, criteria: SearchCriteria) =>
  search<ProductAttributeFound>(em, criteria, {
    table: `(select * from (values ${ofPlatform}) p(${columns}) union all
      select ${firstOwnId} + attribute_id, attribute_code, attribute_code, frontend_input,
        case frontend_input when 'weee' then 'static' else 'varchar' end, 'global', false, true
      from product_attribute) a`,
    columns,
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
      ...sameForAll,
    },
    order: 'attribute_id',
  });

const unknownAttribute = 'The attribute with a "%1" attributeCode doesn\'t exist. Verify the attribute and try again.';

/**
 * One product attribute by its code or its id. The platform's are known without the database. Refused with: 404 unknown.
 */
export async function findProductAttribute(em: EntityManager, code: string): Promise<ProductAttributeFound> {
  const found = await lookUpProductAttribute(em, code);
  if (!found) throw notFound(unknownAttribute, [code]);
  return found;
}

/** As `findProductAttribute`; undefined: unknown. */
export async function lookUpProductAttribute(
  em: EntityManager,
  code: string,
): Promise<ProductAttributeFound | undefined> {
  const wanted = /^\d+$/.test(code) ? String(Number(code)) : code.toLowerCase();
  const at = platformAttributes.findIndex((one, index) => one.code === wanted || String(index + 1) === wanted);
  const own = platformAttributes[at];
  if (own) {
    const { label, input, backend, scope, isRequired } = own;
    return {
      ...{ attribute_id: at + 1, attribute_code: own.code, label, frontend_input: input, backend_type: backend },
      ...{ scope, is_required: isRequired, is_user_defined: false },
    };
  }
  const found = await ofShop.first(em, { wanted });
  return (
    found && {
      ...{ attribute_id: found.shownId, attribute_code: found.attributeCode, label: found.attributeCode },
      ...{ frontend_input: found.frontendInput, backend_type: found.frontendInput === 'weee' ? 'static' : 'varchar' },
      ...{ scope: 'global', is_required: false, is_user_defined: true },
    }
  );
}

const ofShop = statement({
  takes: { wanted: text },
  gives: { shownId: surely(integer), ...of(ProductAttributeRow, 'attributeCode', 'frontendInput') },
  text: `
    select ${firstOwnId} + attribute_id as shown_id, attribute_code, frontend_input from product_attribute
    where lower(attribute_code) = $wanted or (${firstOwnId} + attribute_id)::text = $wanted`,
});

export interface AttributeSetFound {
  attribute_set_id: number;
  attribute_set_name: string;
  sort_order: number;
}

/** The attribute set of every product without another. */
const defaultSet = 4;

/** One index look-up per set, however many products it has. */
const setsInUse = `
  with recursive used as (
    (select attribute_set_id from product order by attribute_set_id limit 1)
    union all
    select (select p.attribute_set_id from product p where p.attribute_set_id > u.attribute_set_id
            order by p.attribute_set_id limit 1)
    from used u where u.attribute_set_id is not null)
  select attribute_set_id from used where attribute_set_id is not null union select ${defaultSet}`;

/** Searches attribute sets: the default one, and any that a product has (our choice; platform facts 9.1). */
export const searchAttributeSets = (em: EntityManager, criteria: SearchCriteria) =>
  search<AttributeSetFound>(em, criteria, {
    table: `(select attribute_set_id, case attribute_set_id when ${defaultSet} then 'Default'
        else 'Set ' || attribute_set_id end as attribute_set_name, 0 as sort_order from (${setsInUse}) used) s`,
    columns: 'attribute_set_id, attribute_set_name, sort_order',
    fields: {
      attribute_set_id: { column: 'attribute_set_id', type: 'integer' },
      attribute_set_name: { column: 'attribute_set_name', type: 'text' },
      sort_order: { column: 'sort_order', type: 'integer' },
      entity_type_id: { column: '4::integer', type: 'integer' },
    },
    order: 'attribute_set_id',
  });

/** The tax classes of goods. */
export const readProductTaxClasses = (em: EntityManager) => taxClasses.all(em);

const taxClasses = statement({
  takes: {},
  gives: { taxClassId: integer, name: text },
  text: `
    select class_id as tax_class_id, class_name as name from tax_class where class_type = 'PRODUCT' order by 1`,
});
