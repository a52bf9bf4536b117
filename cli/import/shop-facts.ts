import type { EntityManager } from '@mikro-orm/postgresql';
import { AttributeSet } from '../../db/platform/catalog/attribute-set.entity.ts';
import { hasViews } from '../../db/platform/catalog/has-views.ts';
import { searchProductAttributes } from '../../db/platform/catalog/search-product-attributes.ts';
import { readProductTaxClasses } from '../../db/platform/catalog/read-product-tax-classes.ts';
import { Category } from '../../db/platform/categories/category.entity.ts';
import { existingSources } from '../../db/platform/inventory/existing-sources.ts';
import { readStoreViews, readWebsites } from '../../db/platform/stores/read-stores.ts';
import { invalid } from '../../domain/errors.ts';
import { skuKey } from '../../domain/platform/catalog/sku-key.ts';
import type { ImportOptions } from './import-kind.ts';

/** An attribute of products, with what can be chosen. */
export interface AttributeFacts {
  code: string;
  input: string;
  scope: string;
  options: readonly { id: string; label: string }[];
}

/** What the shop has when the import begins. Names are found in any case of letters. */
export interface ShopFacts {
  attributes: Map<string, AttributeFacts>;
  websiteId: (code: string) => number;
  view: (code: string) => { storeId: number; websiteId: number };
  attributeSetId: (name: string) => number;
  taxClassId: (name: string) => number;
  /** The id of a category by its path, `Default Category/Lamps`; undefined: there is none. */
  categoryId: (path: string) => string | undefined;
  /** Whether values may differ between store views. */
  areViewsSeveral: boolean;
}

const everything = { groups: [], sortOrders: [], pageSize: undefined, currentPage: 1, echo: { filter_groups: [] } };

/** Reads it once, because a list has many rows. Refused with 400: the source that is named for stock does not exist. */
export async function readShopFacts(em: EntityManager, { source }: ImportOptions): Promise<ShopFacts> {
  if (source !== undefined && !(await existingSources(em, [source])).has(source))
    throw invalid('No source has the code %1.', [source]);
  const { rows } = await searchProductAttributes(em, everything);
  const websites = (await readWebsites(em)).filter(({ website_id: id }) => id > 0);
  const views = (await readStoreViews(em)).filter(({ store_id: id }) => id > 0);
  const sets = await em.find(AttributeSet, {});
  const taxClasses = await readProductTaxClasses(em);
  return {
    attributes: new Map(rows.map((row) => [row.attribute_code, factsOf(row)])),
    websiteId: finder(
      websites,
      ({ code }) => code,
      'No website has the code %1.',
      ({ website_id: id }) => id,
    ),
    view: finder(
      views,
      ({ code }) => code,
      'No store view has the code %1.',
      ({ store_id: storeId, website_id: websiteId }) => ({ storeId, websiteId }),
    ),
    attributeSetId: finder(
      sets,
      ({ attributeSetName }) => attributeSetName,
      'No attribute set is called %1.',
      ({ attributeSetId }) => attributeSetId,
    ),
    taxClassId: finder(
      [...taxClasses, { taxClassId: 0, name: 'None' }],
      ({ name }) => name,
      'No tax class of goods is called %1.',
      ({ taxClassId }) => taxClassId,
    ),
    categoryId: await categoryFinder(em),
    areViewsSeveral: await hasViews(em),
  };
}

const factsOf = (row: Awaited<ReturnType<typeof searchProductAttributes>>['rows'][number]): AttributeFacts => ({
  ...{ code: row.attribute_code, input: row.frontend_input, scope: row.scope },
  options: row.options.map(({ optionId, label }) => ({ id: String(optionId), label })),
});

function finder<Row, Found>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  unknown: string,
  give: (row: Row) => Found,
): (name: string) => Found {
  const byName = new Map(rows.map((row) => [skuKey(nameOf(row)), row]));
  return (name) => {
    const row = byName.get(skuKey(name));
    if (row === undefined) throw invalid(unknown, [name]);
    return give(row);
  };
}

/** The paths of all categories, from below the root that nobody sees. */
async function categoryFinder(em: EntityManager) {
  const rows = await em.find(Category, {}, { fields: ['entityId', 'path', 'name'] });
  const names = new Map(rows.map(({ entityId, name }) => [String(entityId), name]));
  const byPath = new Map(
    rows.map(({ entityId, path }) => {
      const [, ...ids] = path.split('/');
      return [skuKey(ids.map((id) => names.get(id) ?? '').join('/')), String(entityId)];
    }),
  );
  return (path: string) => byPath.get(skuKey(path));
}
