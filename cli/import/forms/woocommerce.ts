import { invalid } from '../../../domain/errors.ts';
import { cell, firstCell, type CsvRow, type Form } from '../import-kind.ts';
import { inPounds } from './weight.ts';

const barcodes = ['gtin, upc, ean, or isbn', 'gtin', 'gtin upc ean or isbn'];
const used: ReadonlySet<string> = new Set([
  ...['type', 'sku', 'name', 'published', 'visibility in catalog', 'short description', 'description'],
  ...['date sale price starts', 'date sale price ends', 'tax status', 'tax class', 'stock', 'sale price'],
  ...['regular price', 'categories', 'id', 'parent', ...barcodes],
]);

/** What its column of visibility says, as ours does. */
const visibilities: Readonly<Record<string, string>> = { visible: '4', catalog: '2', search: '3', hidden: '1' };

/**
 * The export of goods of WooCommerce. A variation is a product of its own; the product that it belongs to is not sold by
 * itself. Its days are `2030-12-31`, with or without a time.
 */
export function wooCommerceProducts(columns: readonly string[]): Form {
  /** Tax classes of products with variations, by how those name them. */
  const parents = new Map<string, string>();
  const weight = columns.find((column) => /^weight \(\w+\)$/.test(column));
  return {
    columns: [['type'], ['sku'], ['name'], ['regular price']],
    gives: [
      ...['sku', 'name', 'price', 'status', 'visibility', 'type', 'weight', 'qty', 'tax_class', 'tax_class_id'],
      ...['categories', 'description', 'short_description', 'barcode'],
      ...['special_price', 'special_from_date', 'special_to_date'],
    ],
    leftOut: (column) => (used.has(column) || column === weight ? undefined : whyNot(column)),
    read(row) {
      const types = (cell(row, 'type') ?? 'simple').toLowerCase().split(/,\s{0,9}/);
      const other = types.find((type) => ['variable', 'grouped', 'external'].includes(type));
      const taxClass = (cell(row, 'tax class') ?? 'standard').toLowerCase();
      if (other === 'variable') for (const name of namesOf(row)) parents.set(name, taxClass);
      if (other !== undefined) return { leftOut: `rows of ${other} products: only what is sold by itself is imported` };
      const isVirtual = types.includes('virtual') || types.includes('downloadable');
      const isOfParent = taxClass === 'parent';
      const ofParent = isOfParent ? parents.get(cell(row, 'parent') ?? '') : taxClass;
      if (ofParent === undefined) throw invalid(orphan);
      return { ...good(row, ofParent), type: isVirtual ? 'virtual' : 'simple', weight: weightOf(row, weight) };
    },
  };
}

const orphan = 'The product whose tax class this variation has does not stand before it in the file.';

/** A variation names its product by its SKU, or as `id:12`. */
const namesOf = (row: CsvRow) => [cell(row, 'sku') ?? [], cell(row, 'id') ? `id:${row['id']}` : []].flat();

const whyNot = (column: string) =>
  column === 'images' ? 'pictures are sent by POST /V1/products/:sku/media' : 'the column has no meaning here';

const weightOf = (row: CsvRow, column: string | undefined) =>
  column === undefined ? '' : inPounds(cell(row, column), column.slice(column.indexOf('(') + 1, -1));

function good(row: CsvRow, taxClass: string): CsvRow {
  const isTaxed = (cell(row, 'tax status') ?? 'taxable').toLowerCase() === 'taxable';
  const visibility = cell(row, 'visibility in catalog');
  const [sku, name, price] = [cell(row, 'sku'), cell(row, 'name'), cell(row, 'regular price')];
  return {
    ...{ sku: sku ?? '', name: name ?? '', price: price ?? '' },
    status: cell(row, 'published') === '1' || cell(row, 'published') === undefined ? '1' : '2',
    visibility: visibility === undefined ? '' : (visibilities[visibility.toLowerCase()] ?? visibility),
    // It is written `reduced-rate`.
    tax_class: isTaxed && taxClass !== 'standard' ? taxClass.replaceAll('-', ' ') : '',
    tax_class_id: isTaxed ? '' : '0',
    qty: cell(row, 'stock') === 'parent' ? '' : (cell(row, 'stock') ?? ''),
    categories: (cell(row, 'categories') ?? '').replaceAll(/\s{0,9}>\s{0,9}/g, '/'),
    description: cell(row, 'description') ?? '',
    short_description: cell(row, 'short description') ?? '',
    barcode: firstCell(row, ...barcodes) ?? '',
    special_price: cell(row, 'sale price') ?? '',
    special_from_date: cell(row, 'date sale price starts') ?? '',
    special_to_date: cell(row, 'date sale price ends') ?? '',
  };
}
