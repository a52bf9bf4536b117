import type { EntityManager } from '@mikro-orm/postgresql';
import { productTypes } from '../../db/platform/catalog/product.entity.ts';
import { saveProduct } from '../../db/platform/catalog/save-product.ts';
import { Website } from '../../db/platform/stores/website.entity.ts';
import { invalid } from '../../domain/errors.ts';
import { parseAmount } from '../../domain/money/amount.ts';
import { parseQuantity } from '../../domain/money/quantity.ts';
import { cell, type CsvRow, type ImportKind } from './import-kind.ts';

const own: ReadonlySet<string> = new Set([
  ...['sku', 'name', 'price', 'status', 'visibility', 'type', 'weight', 'websites', 'categories', 'tax_class_id'],
]);

/**
 * Imports products by sku. A new product needs name and price; empty cells change nothing for a known one. `websites`
 * has codes and `categories` has ids, separated by `|`. Every other column is an attribute of that code.
 */
export const products: ImportKind = {
  columns: ['sku'],
  keyOf: (row) => row['sku'] ?? '',
  async save(em, row) {
    const categories = cell(row, 'categories')?.split('|');
    const taxClass = cell(row, 'tax_class_id');
    await saveProduct(em, {
      sku: row['sku'] ?? '',
      place: { storeId: 0, websiteId: 0 },
      draft: {
        name: cell(row, 'name'),
        price: amountOf(row),
        status: numberOf(row, 'status', 1, 2),
        visibility: numberOf(row, 'visibility', 1, 4),
        typeId: typeOf(row),
        weight: weightOf(row),
        websiteIds: await websitesOf(em, row),
        customAttributes: {
          ...attributesOf(row),
          ...(categories ? { category_ids: categories } : {}),
          ...(taxClass ? { tax_class_id: taxClass } : {}),
        },
      },
    });
  },
};

const attributesOf = (row: CsvRow) =>
  Object.fromEntries(Object.entries(row).filter(([column, value]) => !own.has(column) && value !== ''));

const wrong = (row: CsvRow, column: string) => invalid('%1 cannot be "%2".', [column, row[column]]);

function amountOf(row: CsvRow) {
  const given = cell(row, 'price');
  const price = given === undefined ? undefined : parseAmount(given);
  if (given !== undefined && price === undefined) throw wrong(row, 'price');
  return price;
}

function weightOf(row: CsvRow) {
  const given = cell(row, 'weight');
  const weight = given === undefined ? undefined : parseQuantity(given);
  if (given !== undefined && weight === undefined) throw wrong(row, 'weight');
  return weight;
}

function numberOf(row: CsvRow, column: string, least: number, most: number) {
  const given = cell(row, column);
  if (given === undefined) return undefined;
  const value = /^\d$/.test(given) ? Number(given) : 0;
  if (value < least || value > most) throw wrong(row, column);
  return value;
}

function typeOf(row: CsvRow) {
  const given = cell(row, 'type');
  if (given === undefined) return undefined;
  const type = productTypes.find((one) => one === given);
  if (type === undefined) throw wrong(row, 'type');
  return type;
}

async function websitesOf(em: EntityManager, row: CsvRow): Promise<number[] | undefined> {
  const codes = cell(row, 'websites')?.split('|');
  if (!codes) return undefined;
  const found = await em.find(Website, { code: { $in: codes }, websiteId: { $gt: 0 } });
  const unknown = codes.find((code) => !found.some((website) => website.code === code));
  if (unknown !== undefined) throw invalid('No website has the code %1.', [unknown]);
  return found.map(({ websiteId }) => websiteId);
}
