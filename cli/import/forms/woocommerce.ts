import { invalid } from '../../../domain/errors.ts';
import { skuKey } from '../../../domain/platform/catalog/tier-rows.ts';
import { cell, firstCell, giftCards, type CsvRow, type Form } from '../read-rows.ts';
import { inPounds } from './shopify.ts';

const barcodes = ['gtin, upc, ean, or isbn', 'gtin', 'gtin upc ean or isbn'];
const used: ReadonlySet<string> = new Set([
  ...['type', 'sku', 'name', 'published', 'visibility in catalog', 'short description', 'description'],
  ...['date sale price starts', 'date sale price ends', 'tax status', 'tax class', 'sale price'],
  ...['stock', 'in stock?', 'backorders allowed?', 'regular price', 'categories', 'id', 'parent', ...barcodes],
]);

/** The values by which one variation differs from the next: `attribute 1 value(s)`. */
const valueColumn = /^attribute \d{1,3} value\(s\)$/;
/** They name what `valueColumn` has; a name of a variation needs only the values. */
const nameColumn = /^attribute \d{1,3} name$/;

/** What its column of visibility says, as ours does. */
const visibilities: Readonly<Record<string, string>> = { visible: '4', catalog: '2', search: '3', hidden: '1' };

/** What is sold as one good. */
const soldTypes: ReadonlySet<string> = new Set(['simple', 'variation', 'virtual', 'downloadable']);

const orphan = 'The product that this variation belongs to is not in the file.';

const sharedStock =
  'stock: variations share the quantity of their product, so each is sold without a count; import stock gives them one';

/** A product with variations, and how many of them share its stock. */
interface Parent {
  row: CsvRow;
  isGiftCard: boolean;
}

/**
 * The export of goods of WooCommerce. Each variation is a product; the product that it belongs to is not sold itself.
 * A variation has the parts of its product that its own row leaves open: its name, weight, categories, texts, tax and
 * stock; of a draft no variation is for sale. Either row may come first. Days are `2030-12-31`, with or without a time.
 */
export function wooCommerceProducts(columns: readonly string[]): Form {
  /** By the names that variations give their product: its SKU, or `id:12`. */
  const parents = new Map<string, Parent>();
  /** How many variations share the stock of the product of this name. */
  const sharing = new Map<string, number>();
  const weight = columns.find((column) => /^weight \(\w+\)$/.test(column));
  const isUsed = (column: string) =>
    used.has(column) || column === weight || valueColumn.test(column) || nameColumn.test(column);
  const parentOf = (row: CsvRow) => parents.get(skuKey(cell(row, 'parent') ?? ''));
  const sharesOf = ({ row }: Parent) => namesOf(row).reduce((sum, name) => sum + (sharing.get(name) ?? 0), 0);
  return {
    columns: [['type'], ['sku'], ['name'], ['regular price']],
    gives: [
      ...['sku', 'name', 'price', 'status', 'visibility', 'type', 'weight', 'qty', 'tax_class', 'tax_class_id'],
      ...['manage_stock', 'allow_backorders', 'categories', 'description', 'short_description', 'barcode'],
      ...['special_price', 'special_from_date', 'special_to_date'],
    ],
    areGoods: true,
    leftOut: (column) => (isUsed(column) ? undefined : whyNot(column)),
    learn(row) {
      const types = typesOf(row);
      if (types.includes('variation')) {
        const name = skuKey(cell(row, 'parent') ?? '');
        if (cell(row, 'stock') === 'parent') sharing.set(name, (sharing.get(name) ?? 0) + 1);
      } else if (types.some((type) => !soldTypes.has(type)))
        for (const name of namesOf(row)) parents.set(name, { row, isGiftCard: types.some(isGiftCard) });
    },
    read(row) {
      const types = typesOf(row);
      const parent = types.includes('variation') ? parentOf(row) : undefined;
      if (types.some(isGiftCard) || parent?.isGiftCard) return { leftOut: giftCards };
      const other = types.find((type) => !soldTypes.has(type));
      if (other !== undefined) return { leftOut: `rows of ${other} products: only what is sold by itself is imported` };
      if (types.includes('variation') && !parent) throw invalid(orphan);
      const isVirtual = types.includes('virtual') || types.includes('downloadable');
      const { note, ...stock } = stockOf(row, parent && { parent: parent.row, shares: sharesOf(parent) });
      const cells = {
        ...good(row, parent?.row),
        ...stock,
        type: isVirtual ? 'virtual' : 'simple',
        weight: weight === undefined ? '' : inPounds(ownOr(row, parent?.row, weight), unitOf(weight)),
      };
      return { cells, notes: note === undefined ? [] : [note] };
    },
  };
}

const typesOf = (row: CsvRow) => (cell(row, 'type') ?? 'simple').toLowerCase().split(/,\s{0,9}/);

const isGiftCard = (type: string) => /gift[-_ ]?card/.test(type);

/** A variation names its product by its SKU, or as `id:12`. */
const namesOf = (row: CsvRow) =>
  [cell(row, 'sku') ?? [], cell(row, 'id') ? `id:${row['id']}` : []].flat().map((name) => skuKey(name));

const whyNot = (column: string) =>
  column === 'images' ? 'pictures are sent by POST /V1/products/:sku/media' : 'the column has no meaning here';

const unitOf = (column: string) => column.slice(column.indexOf('(') + 1, -1);

const ownOr = (row: CsvRow, parent: CsvRow | undefined, column: string) =>
  cell(row, column) ?? (parent && cell(parent, column));

function good(row: CsvRow, parent: CsvRow | undefined): CsvRow {
  const inherited = (column: string) => ownOr(row, parent, column);
  const taxClass = (cell(row, 'tax class') ?? 'standard').toLowerCase();
  const ownClass = taxClass === 'parent' ? (cell(parent ?? {}, 'tax class') ?? 'standard').toLowerCase() : taxClass;
  // Variations have neither of their own: both are set at the product.
  const isTaxed = (ownOr(parent ?? row, row, 'tax status') ?? 'taxable').toLowerCase() === 'taxable';
  const visibility = ownOr(parent ?? row, row, 'visibility in catalog');
  return {
    ...{ sku: cell(row, 'sku') ?? '', name: nameOf(row, parent), price: cell(row, 'regular price') ?? '' },
    status: isPublished(row) && (parent === undefined || isPublished(parent)) ? '1' : '2',
    visibility: visibility === undefined ? '' : (visibilities[visibility.toLowerCase()] ?? visibility),
    // It is written `reduced-rate`.
    tax_class: isTaxed && ownClass !== 'standard' ? ownClass.replaceAll('-', ' ') : '',
    tax_class_id: isTaxed ? '' : '0',
    categories: (inherited('categories') ?? '').replaceAll(/\s{0,9}>\s{0,9}/g, '/'),
    description: inherited('description') ?? '',
    short_description: inherited('short description') ?? '',
    barcode: firstCell(row, ...barcodes) ?? '',
    special_price: cell(row, 'sale price') ?? '',
    special_from_date: cell(row, 'date sale price starts') ?? '',
    special_to_date: cell(row, 'date sale price ends') ?? '',
  };
}

/** 1: for sale; 0: private; -1: a draft. An empty cell is a draft there, too. */
const isPublished = (row: CsvRow) => row['published'] === undefined || row['published'] === '1';

/** Its own name, with the values that tell it from the other variations where the name does not have them. */
function nameOf(row: CsvRow, parent: CsvRow | undefined): string {
  const name = ownOr(row, parent, 'name') ?? '';
  if (parent === undefined) return name;
  const values = Object.entries(row).flatMap(([column, value]) =>
    valueColumn.test(column) && value !== '' ? [value] : [],
  );
  const missing = values.filter((value) => !name.toLowerCase().includes(value.toLowerCase()));
  return [name, missing.join(', ')].filter((part) => part !== '').join(' - ');
}

interface Family {
  parent: CsvRow;
  shares: number;
}

/** Whether its quantity is counted, which one it is, and whether it is sold without one. */
function stockOf(row: CsvRow, family: Family | undefined) {
  if (row['stock'] === undefined) return { qty: '', manage_stock: '', allow_backorders: '' };
  const isShared = cell(row, 'stock') === 'parent' && family !== undefined;
  const counted = isShared ? family.parent : row;
  const qty = cell(counted, 'stock');
  const backorders = cell(counted, 'backorders allowed?')?.toLowerCase();
  const allow_backorders = backorders === 'notify' ? '2' : backorders === '1' || backorders === 'yes' ? '1' : '0';
  if (qty === undefined || qty === 'parent') {
    const isSoldOut = cell(counted, 'in stock?') === '0';
    return { qty: isSoldOut ? '0' : '', manage_stock: isSoldOut ? '1' : '0', allow_backorders: '0' };
  }
  const isPositive = Number(qty) > 0;
  if (isShared && family.shares > 1 && isPositive)
    return { qty: '', manage_stock: '0', allow_backorders, note: sharedStock };
  return { qty, manage_stock: '1', allow_backorders };
}
