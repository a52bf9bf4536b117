import type { EntityManager } from '@mikro-orm/postgresql';
import {
  isOfPlatform,
  scopeOf,
  type AttributeScope,
  type ScopeOf,
} from '../../../domain/platform/catalog/product-attributes.ts';
import {
  relevanceOf,
  viewKey,
  websiteKey,
  type StorefrontSearch,
  type ValuePlace,
} from '../../../domain/platform/catalog/scoped-values.ts';
import type { SearchCriteria, SearchFilter } from '../../../domain/platform/search-criteria.ts';
import { productNotRemoved } from '../../../domain/refusals/catalog.ts';
import { definite } from '../../support/entity-columns.ts';
import { of } from '../../support/rows.ts';
import { search, type Found, type Searchable } from '../../support/search.ts';
import { sql } from '../../support/sql.ts';
import { transact } from '../../support/transact.ts';
import { readWebsiteOfStore } from '../stores/find-customer-store.ts';
import { columnAt, numberIn, numberOf, textAt, textOf } from './attribute-sql.ts';
import { ProductAttributeRow } from './product.entity.ts';
import { forgetLinksTo } from './product-links.ts';
import { productColumns, type ProductRow } from './read-products.ts';
import { lockProduct } from './product-places.ts';

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
  const request = await withWebsites(em, criteria);
  const { attributes, scopes } = await attributesAmong(em, namesIn(request));
  const scope: ScopeOf = (code) => scopes.get(code) ?? scopeOf(code);
  const known = { ...searchable.fields, position: positionIn(request), ...attributes };
  const fields = (await speaksForItself(em, namesIn(request).map(scope), place))
    ? fieldsAt(known, place, scope)
    : known;
  return search<Row>(em, request, { ...searchable, columns, fields });
}

/**
 * A product's position in the category that the search names (platform facts 14). Without a category all positions are
 * equal. The id becomes part of the SQL, so only digits may pass.
 */
function positionIn({ groups }: SearchCriteria): Searchable['fields'][string] {
  const category = groups.flat().find(({ field, condition }) => field === 'category_id' && condition === 'eq')?.value;
  if (!category || !/^\d{1,16}$/.test(category)) return { column: '0::integer', type: 'integer' };
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
const hasOwn = sql('products.hasOwn')`
  with own as materialized (select from product where scoped_values ?| $keys)
  select exists (select from own) as is_said`;

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
      const { attribute: _global, ...rest } = field;
      return [code, { ...rest, column: field.type === 'decimal' ? numberIn(text) : text }];
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

/**
 * The names without a column that are attributes, of the platform, the shop or some product; the shop's with their
 * scope.
 */
async function attributesAmong(em: EntityManager, names: readonly string[]) {
  const codes = names.filter((name) => !(name in searchable.fields) && attributeCode.test(name));
  const made = codes.length === 0 ? [] : await knownAmong.all(em, { codes });
  const known = new Set([...codes.filter(isOfPlatform), ...made.map(({ code }) => code)]);
  const attributes: Searchable['fields'] = Object.fromEntries(
    [...known].map((code) => [code, { column: textOf(code), type: 'text', isNullable: true, attribute: code }]),
  );
  const ofShop = made.filter(({ code }) => !isOfPlatform(code));
  return { attributes, scopes: new Map(ofShop.map(({ code, scope }) => [code, scope])) };
}

const knownAmong = sql('products.knownAmong', { gives: { scope: definite(of(ProductAttributeRow, 'scope').scope) } })`
  select distinct code, coalesce(a.scope, 'global') as scope
  from unnest($codes::text[]) as code left join product_attribute a on a.attribute_code = code
  where a.attribute_id is not null or exists (select from product where jsonb_exists(custom_attributes, code))`;

/**
 * Deletes a product with its stock, and takes it out of carts, wish lists and links of products; orders and their
 * documents keep its data (platform facts 9.1). A repeat finds nothing.
 *
 * Refused with: 404 unknown sku · 400 it is reserved for an order that is not shipped: its stock must still move.
 */
export const deleteProduct = (em: EntityManager, input: string): Promise<void> =>
  transact(em, async (tx) => {
    const { sku } = await lockProduct(tx, input);
    // A transaction that reserves the product locks it until the commit (`reserve`, `prepareOrder`). One that sells
    // the last piece now holds its stock row, and its reservation is committed before the check below.
    await lockShelves.all(tx, { sku });
    const promised = await isPromised.first(tx, { sku });
    if (promised?.isSaid) throw productNotRemoved([sku]);
    await clearShelves.run(tx, { sku });
    await forgetLinksTo(tx, sku);
    await remove.run(tx, { sku });
  });

const lockShelves = sql('products.lockShelves')`
  select source_code from inventory_source_item where sku = $sku order by source_code for update`;

const isPromised = sql('products.isPromised')`
  select exists (
    select from inventory_stock s where (
      select sum(r.quantity) from inventory_reservation r where r.stock_id = s.stock_id and r.sku = $sku) <> 0
  ) as is_said`;

const remove = sql('products.remove')`delete from product where sku = $sku`;

const clearShelves = sql('products.clearShelves')`delete from inventory_source_item where sku = $sku`;

/** Of so many matches the best come first; of more, the newest. */
export const mostRanked = 1_000;

export interface StorefrontFound {
  items: { id: number; score: number }[];
  /** How many of the matches each category has; empty where there are more than are ranked. */
  categories: ReadonlyMap<string, number>;
  totalCount: number;
}

const storefrontColumns = `entity_id, sku, name, category_ids, custom_attributes ->> 'barcode' as barcode`;

interface Row {
  entity_id: number;
  sku: string;
  name: string;
  category_ids: string[];
  barcode: string | null;
}

/**
 * Finds products as a customer does: the best first, unless the caller sorts. Refused with: 400 a value that its field
 * cannot have.
 */
export async function searchStorefront(
  em: EntityManager,
  { criteria, words }: StorefrontSearch,
  place: ValuePlace,
): Promise<StorefrontFound> {
  const { currentPage, pageSize = mostRanked, sortOrders } = criteria;
  const newest = { ...criteria, sortOrders: [{ field: 'entity_id', direction: 'DESC' as const }] };
  const first = await searchProducts<Row>(
    em,
    { ...newest, currentPage: 1, pageSize: mostRanked },
    place,
    storefrontColumns,
  );
  const { totalCount } = first;
  const areAll = totalCount <= mostRanked;
  const scored = (rows: readonly Row[]) =>
    rows.map((row) => ({ id: row.entity_id, score: relevanceOf(words, { ...row, barcode: row.barcode ?? '' }) }));
  const pageOf = async () => {
    const from = (currentPage - 1) * pageSize;
    const isSorted = sortOrders.length > 0;
    if (isSorted || (!areAll && from + pageSize > mostRanked)) {
      const { rows } = await searchProducts<Row>(
        em,
        { ...(isSorted ? criteria : newest), pageSize },
        place,
        storefrontColumns,
      );
      return scored(rows);
    }
    const found = scored(first.rows);
    return (areAll ? found.toSorted((one, other) => other.score - one.score) : found).slice(from, from + pageSize);
  };
  return { items: await pageOf(), categories: categoriesOf(areAll ? first.rows : []), totalCount };
}

function categoriesOf(rows: readonly Row[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of rows.flatMap((row) => row.category_ids)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
