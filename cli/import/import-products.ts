import type { EntityManager } from '@mikro-orm/postgresql';
import { sourceItemPayload } from '../../api/platform/inventory/source-item-payload.ts';
import { productPayload, toPlainDraft } from '../../api/platform/products/product-payload.ts';
import { storedSku } from '../../db/platform/catalog/read-products.ts';
import { saveProduct } from '../../db/platform/catalog/save-product.ts';
import { withStoredSkus } from '../../db/platform/inventory/stored-skus.ts';
import { setSourceItems } from '../../db/platform/inventory/set-source-items.ts';
import { joined, transact } from '../../db/support/transact.ts';
import { invalid, noSuchProduct } from '../../domain/errors.ts';
import { none } from '../../domain/money/quantity.ts';
import { skuKey } from '../../domain/platform/catalog/sku-key.ts';
import { isCutOff } from '../../domain/platform/catalog/typed-values.ts';
import { asSent, cell, type CsvRow, type ImportKind, type ImportOptions, type Reading } from './import-kind.ts';
import { meaningOf, partColumns } from './product-columns.ts';
import { productFields, type ProductFields } from './product-fields.ts';
import { digitsCutOff } from './attribute-cells.ts';
import { attributesOfColumns, makeNew } from './new-attributes.ts';
import { readShopFacts, type ShopFacts } from './shop-facts.ts';

/** The columns of fields that our routes call otherwise. */
const columnOf = { typeId: 'type', websiteIds: 'websites', attributeSetId: 'attribute_set', quantity: 'qty' };

/**
 * Imports products by sku, by the schema of their route. A new product needs name and price; empty cells change nothing
 * for a known one. `websites` has codes and `categories` has ids or paths, separated by `|`. A row of a `store_view` gives
 * only what may differ there. Columns have our names or those of the platform's export; every other column is an attribute.
 */
export const products: ImportKind = {
  columns: ['sku'],
  async open(em, columns, options) {
    const meaning = meaningOf(columns);
    const shop = await readShopFacts(em, options);
    const leftOut = await attributesOfColumns(em, [...meaning], { shop, options });
    const read = [...meaning].filter(([column]) => !leftOut.has(column));
    return {
      leftOut,
      read: (row) => readProduct(renamed(row, read), { shop, options, isWhole: hasNoParts(row) }),
    };
  },
};

const renamed = (row: CsvRow, names: readonly (readonly [column: string, name: string])[]): CsvRow =>
  Object.fromEntries(names.map(([column, name]) => [name, row[column] ?? '']));

const hasNoParts = (row: CsvRow) => partColumns.every((column) => !row[column]);

interface Around {
  shop: ShopFacts;
  options: ImportOptions;
  isWhole: boolean;
}

const madeOfOthers = 'rows of %1 products: what they are made of is not imported, its parts are rows of their own';

function readProduct(row: CsvRow, { shop, options, isWhole }: Around): Reading {
  const sku = row['sku'] ?? '';
  if (isCutOff('barcode', sku)) throw digitsCutOff('sku', sku);
  const type = row['type'] ?? '';
  if (!isWhole && type !== 'simple' && type !== 'virtual') {
    const why = madeOfOthers.replace('%1', type || 'such');
    if (options.from) return { leftOut: why };
    throw invalid('Not imported: %1.', [why]);
  }
  const { customAttributes, notes, newCodes, place, ...others } = productFields(row, { shop, options });
  const sent = asSent(productPayload, { sku, ...others, customAttributes }, columnOf);
  const lying = stockOf(row, sku, options.source);
  const draft = toPlainDraft(sent);
  return {
    key: skuKey(sku),
    async save(em) {
      if (newCodes.length > 0) await makeNew(em, newCodes, shop);
      await save(em, { sku, place, draft, lying });
      return notes;
    },
  };
}

interface ToSave {
  sku: string;
  place: ProductFields['place'];
  draft: ReturnType<typeof toPlainDraft>;
  lying: ReturnType<typeof stockOf>;
}

async function save(em: EntityManager, { sku, place, draft, lying }: ToSave): Promise<void> {
  if (place.storeId > 0 && (await storedSku(em, sku)) === undefined) throw noSuchProduct(sku);
  if (!lying) return saveProduct(em, { sku, place, draft });
  await transact(em, async (tx) => {
    await saveProduct(joined(tx), { sku, place, draft });
    await setSourceItems(tx, await withStoredSkus(tx, [lying]));
  });
}

/** As the route of stock reads it. */
function stockOf(row: CsvRow, sku: string, source: string | undefined) {
  const qty = cell(row, 'qty');
  if (qty === undefined || source === undefined) return undefined;
  const { quantity = none } = asSent(sourceItemPayload, { quantity: qty }, columnOf);
  if (quantity < none) throw invalid('%1 cannot be "%2".', ['qty', qty]);
  return { sku, sourceCode: source, quantity, status: quantity > none ? 1 : 0 };
}
