import type { EntityManager } from '@mikro-orm/postgresql';
import {
  isOfPlatform,
  scopeOf,
  type AttributeScope,
  type ScopeOf,
} from '../../../domain/platform/catalog/product-attributes.ts';
import { viewKey, websiteKey, type ValuePlace } from '../../../domain/platform/catalog/scoped-values.ts';
import type { SearchCriteria, SearchFilter } from '../../../domain/platform/search-criteria.ts';
import { flag, surely, text, texts } from '../../support/kinds.ts';
import { search, type Found, type Searchable } from '../../support/search.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { readWebsiteOfStore } from '../stores/read-website-of-store.ts';
import { columnAt, numberIn, numberOf, textAt, textOf } from './attribute-sql.ts';
import { ProductAttributeRow } from './product-attribute.entity.ts';
import { productColumns, type ProductRow } from './read-products.ts';

const searchable: Searchable = {
  table: 'product',
  columns: productColumns,
  fields: {
    entity_id: { column: 'entity_id', type: 'integer' },
    id: { column: 'entity_id', type: 'integer' },
    sku: { column: 'sku', type: 'sku' },
    name: { column: 'name', type: 'text' },
    attribute_set_id: { column: 'attribute_set_id', type: 'integer' },
    price: { column: 'price', type: 'decimal' },
    status: { column: 'status', type: 'integer' },
    visibility: { column: 'visibility', type: 'integer' },
    type_id: { column: 'type_id', type: 'code' },
    created_at: { column: 'created_at', type: 'timestamp' },
    updated_at: { column: 'updated_at', type: 'timestamp' },
    tax_class_id: { column: 'tax_class_id', type: 'integer' },
    weight: { column: 'weight', type: 'decimal', isNullable: true },
    barcode: { column: textOf('barcode'), type: 'text', isNullable: true },
    url_key: { column: textOf('url_key'), type: 'text', isNullable: true },
    is_returnable: { column: textOf('is_returnable'), type: 'text', isNullable: true },
    special_price: { column: numberOf('special_price'), type: 'decimal', isNullable: true },
    cost: { column: numberOf('cost'), type: 'decimal', isNullable: true },
    category_ids: { column: 'category_ids', type: 'set' },
    category_id: { column: 'category_ids', type: 'set' },
    website_id: { column: 'website_ids', type: 'set' },
  },
  order: 'entity_id',
  kept: { list: 'product', alias: 'product' },
};

/**
 * Searches the catalog (platform facts 3, 9.1), also by any attribute of a product, as text. The fields `store` and
 * `store_id`, an id or a code, limit the list to products of that view's website; the admin view has all.
 *
 * Refused with: 404 unknown store view.
 *
 * @param columns what each row has; the product whole, where absent
 */
export async function searchProducts<Row extends object = ProductRow>(
  em: EntityManager,
  criteria: SearchCriteria,
  place: ValuePlace,
  columns: string = productColumns,
): Promise<Found<Row>> {
  const asked = await withWebsites(em, criteria);
  const { attributes, scopes } = await attributesAmong(em, namesIn(asked));
  const scope: ScopeOf = (code) => scopes.get(code) ?? scopeOf(code);
  const known = { ...searchable.fields, position: positionIn(asked), ...attributes };
  const fields = (await speaksForItself(em, namesIn(asked).map(scope), place)) ? fieldsAt(known, place, scope) : known;
  return search<Row>(em, asked, { ...searchable, columns, fields });
}

/**
 * A product's position in the category that the search names (platform facts 14). Without a category all positions are
 * equal. The id becomes part of the SQL, so only digits may pass.
 */
function positionIn({ groups }: SearchCriteria): Searchable['fields'][string] {
  const category = groups.flat().find(({ field, condition }) => field === 'category_id' && condition === 'eq')?.value;
  if (!category || !/^\d{1,9}$/.test(category)) return { column: '0::integer', type: 'integer' };
  const column = `coalesce((select (link ->> 'position')::integer
    from jsonb_array_elements(extension_attributes -> 'category_links') link
    where link ->> 'category_id' = '${category}' limit 1), 0)`;
  return { column, type: 'integer' };
}

/**
 * Whether this scope has its own value of a searched field for any product. Only then the index over the global values
 * cannot be used.
 */
async function speaksForItself(
  em: EntityManager,
  scopes: readonly AttributeScope[],
  { storeId, websiteId }: ValuePlace,
) {
  if (storeId === 0 || scopes.every((scope) => scope === 'global')) return false;
  const row = await hasOwn.first(em, { keys: [viewKey(storeId), websiteKey(websiteId)] });
  return row?.isSaid === true;
}

/**
 * Planned for all of them and read up to the first: to find just one, the database would read the table, and where none
 * is there all of it.
 */
const hasOwn = statement({
  takes: { keys: texts },
  gives: { isSaid: flag },
  text: `
    with own as materialized (select from product where scoped_values ?| $keys)
    select exists (select from own) as is_said`,
});

/** Columns for which a scope may have its own value. */
const columns: Readonly<Record<string, { field: string; type: 'text' | 'integer' }>> = {
  name: { field: 'name', type: 'text' },
  status: { field: 'status', type: 'integer' },
  visibility: { field: 'visibility', type: 'integer' },
  tax_class_id: { field: 'taxClassId', type: 'integer' },
};

/** The same fields, with the scope's values. */
function fieldsAt(fields: Searchable['fields'], place: ValuePlace, scope: ScopeOf): Searchable['fields'] {
  return Object.fromEntries(
    Object.entries(fields).map(([code, field]) => {
      const column = columns[code];
      if (column) return [code, { ...field, column: columnAt(code, column, place) }];
      if (scope(code) === 'global') return [code, field];
      const text = textAt(code, place, scope(code));
      return [code, { ...field, column: field.type === 'decimal' ? numberIn(text) : text }];
    }),
  );
}

const storeFields: readonly string[] = ['store', 'store_id'];

const isOfStore = ({ field, value }: SearchFilter) => storeFields.includes(field) && value !== null && value !== '';

/** Every store filter restricts by itself, whatever else its group has, as on the platform. */
async function withWebsites(em: EntityManager, { groups, ...criteria }: SearchCriteria): Promise<SearchCriteria> {
  const stores = new Set(
    groups
      .flat()
      .filter(isOfStore)
      .map(({ value }) => value ?? ''),
  );
  const others = groups.map((group) => group.filter(({ field }) => !storeFields.includes(field)));
  const websites: SearchFilter[][] = [];
  for (const store of stores) {
    const websiteId = await readWebsiteOfStore(em, store);
    if (websiteId !== 0) websites.push([{ field: 'website_id', value: String(websiteId), condition: 'eq' }]);
  }
  return { ...criteria, groups: [...others, ...websites] };
}

/** The permitted form of an attribute's code. It becomes part of SQL, so nothing else may pass. */
const attributeCode = /^[a-z][a-z0-9_]{0,59}$/;

const namesIn = ({ groups, sortOrders }: SearchCriteria): string[] =>
  [...groups.flat(), ...sortOrders].map(({ field }) => field);

/** The names without a column that are attributes, of the platform, the shop or some product; the shop's with their scope. */
async function attributesAmong(em: EntityManager, names: readonly string[]) {
  const codes = names.filter((name) => !(name in searchable.fields) && attributeCode.test(name));
  const made = codes.length === 0 ? [] : await knownAmong.all(em, { codes });
  const known = new Set([...codes.filter(isOfPlatform), ...made.map(({ code }) => code)]);
  const attributes: Searchable['fields'] = Object.fromEntries(
    [...known].map((code) => [code, { column: textOf(code), type: 'text', isNullable: true }]),
  );
  const ofShop = made.filter(({ code }) => !isOfPlatform(code));
  return { attributes, scopes: new Map(ofShop.map(({ code, scope }) => [code, scope])) };
}

const knownAmong = statement({
  takes: { codes: texts },
  gives: { code: surely(text), scope: surely(of(ProductAttributeRow, 'scope').scope) },
  text: `
    select distinct code, coalesce(a.scope, 'global') as scope
    from unnest($codes::text[]) as code left join product_attribute a on a.attribute_code = code
    where a.attribute_id is not null or exists (select from product where jsonb_exists(custom_attributes, code))`,
});
