import { invalid } from '../../../domain/errors.ts';
import { cell, firstCell, giftCards, wrongCell, type CsvRow, type Form } from '../read-rows.ts';

/** How many grams a unit has. Weights of the shop are in pounds, as its stores answer. */
const grams: Readonly<Record<string, number>> = { g: 1, kg: 1_000, oz: 28.349523125, lbs: 453.59237, lb: 453.59237 };

/** A weight of another shop in pounds, to four decimals. Refused with 400: what is no number. */
export function inPounds(text: string | undefined, unit: string): string {
  if (text === undefined || unit === 'lbs' || unit === 'lb') return text ?? '';
  const value = /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  const factor = grams[unit];
  if (Number.isNaN(value) || factor === undefined) throw wrongCell('weight', text);
  return ((value * factor) / (grams['lb'] ?? 1)).toFixed(4);
}

/** Its columns of goods under their names before and since 2024. */
const columns = {
  handle: ['handle', 'url handle'],
  title: ['title'],
  price: ['variant price', 'price'],
  sku: ['variant sku', 'sku'],
} as const;

const used: ReadonlySet<string> = new Set([
  ...Object.values(columns).flat(),
  ...['body (html)', 'description', 'status', 'published', 'published on online store', 'gift card'],
  ...['option1 value', 'option2 value', 'option3 value', 'option1 name', 'option2 name', 'option3 name'],
  ...['variant grams', 'weight value (grams)', 'variant barcode', 'barcode', 'variant taxable', 'charge tax'],
  ...['variant inventory qty', 'inventory quantity', 'variant requires shipping', 'requires shipping', 'cost per item'],
  ...['seo title', 'seo description', 'product category'],
  ...['variant inventory tracker', 'inventory tracker'],
  ...['variant inventory policy', 'continue selling when out of stock'],
]);

/** The parts of a product that only its own row has, the one with the title. */
const ofProduct = [
  ...['title', 'body (html)', 'description', 'status', 'published', 'published on online store', 'gift card'],
  ...['seo title', 'seo description', 'product category'],
] as const;

const noTitle = 'The row with the title of the product "%1" is not in the file.';

/**
 * The export of goods of Shopify. Each variant with a SKU is a product; its name has the chosen options after the
 * title. Only one row of a product has its title, texts and status, and it may come after its variants; some rows have
 * a picture only.
 */
export function shopifyProducts(): Form {
  /** By handle. */
  const products = new Map<string, CsvRow>();
  const handleOf = (row: CsvRow) => (firstCell(row, ...columns.handle) ?? '').toLowerCase();
  return {
    columns: Object.values(columns),
    gives: [
      ...['sku', 'name', 'price', 'status', 'visibility', 'type', 'weight', 'qty', 'manage_stock', 'allow_backorders'],
      ...['tax_class_id', 'description', 'meta_title', 'meta_description', 'cost', 'barcode'],
    ],
    areGoods: true,
    leftOut: (column) => (used.has(column) ? undefined : whyNot(column)),
    learn(row) {
      const handle = handleOf(row);
      if (cell(row, 'title') === undefined || products.has(handle)) return;
      products.set(handle, Object.fromEntries(ofProduct.map((column) => [column, row[column] ?? ''])));
    },
    read(row) {
      const [sku, price] = [firstCell(row, ...columns.sku), firstCell(row, ...columns.price)];
      if (sku === undefined && price === undefined) return { leftOut: 'rows with a picture only' };
      const whole = cell(row, 'title') === undefined ? products.get(handleOf(row)) : row;
      if (!whole) throw invalid(noTitle, [handleOf(row)]);
      if (isYes(cell(whole, 'gift card')) || /gift cards?$/i.test(whole['product category'] ?? ''))
        return { leftOut: giftCards };
      return { cells: variant(row, whole, { sku: sku ?? '', price: price ?? '' }) };
    },
  };
}

const whyNot = (column: string) => {
  if (/image|picture/.test(column)) return 'pictures are sent by POST /V1/products/:sku/media';
  if (/compare.at/.test(column)) return 'the price is the one it is sold at';
  return 'the column has no meaning here';
};

function variant(row: CsvRow, whole: CsvRow, { sku, price }: { sku: string; price: string }): CsvRow {
  const chosen = ['option1 value', 'option2 value', 'option3 value'].flatMap((column) => cell(row, column) ?? []);
  const options = chosen.filter((value) => value !== 'Default Title').join(' / ');
  const name = [cell(whole, 'title') ?? '', options].filter((part) => part !== '').join(' - ');
  const status = (cell(whole, 'status') ?? 'active').toLowerCase();
  const isShown = firstCell(whole, 'published', 'published on online store');
  const ships = firstCell(row, 'variant requires shipping', 'requires shipping');
  const taxed = firstCell(row, 'variant taxable', 'charge tax');
  const isCounted = isCountedBy(row);
  return {
    ...{ sku: bare(sku), name, price },
    status: status === 'active' ? '1' : '2',
    visibility: isShown !== undefined && !isYes(isShown) ? '1' : '',
    type: ships !== undefined && !isYes(ships) ? 'virtual' : 'simple',
    weight: inPounds(firstCell(row, 'variant grams', 'weight value (grams)'), 'g'),
    tax_class_id: taxed !== undefined && !isYes(taxed) ? '0' : '',
    qty: isCounted === false ? '' : (firstCell(row, 'variant inventory qty', 'inventory quantity') ?? ''),
    manage_stock: isCounted === undefined ? '' : isCounted ? '1' : '0',
    allow_backorders: backordersOf(firstCell(row, ...policies)),
    barcode: bare(firstCell(row, 'variant barcode', 'barcode') ?? ''),
    cost: cell(row, 'cost per item') ?? '',
    description: firstCell(whole, 'body (html)', 'description') ?? '',
    meta_title: cell(whole, 'seo title') ?? '',
    meta_description: cell(whole, 'seo description') ?? '',
  };
}

const trackers = ['variant inventory tracker', 'inventory tracker'];
const policies = ['variant inventory policy', 'continue selling when out of stock'];

/** Shopify sells without end what nothing counts; undefined: the file does not say. */
const isCountedBy = (row: CsvRow) =>
  trackers.every((column) => row[column] === undefined) ? undefined : firstCell(row, ...trackers) !== undefined;

const backordersOf = (policy: string | undefined) =>
  policy === undefined ? '' : isYes(policy) || policy.toLowerCase() === 'continue' ? '1' : '0';

const isYes = (text: string | undefined) => /^(?:true|yes|1|active)$/i.test(text ?? '');

/** It writes a quote before a number, so that spreadsheets keep its digits. */
const bare = (text: string) => text.replace(/^'/, '');

const customerColumns = ['first name', 'last name', 'email'] as const;

const usedOfCustomers: ReadonlySet<string> = new Set([
  ...customerColumns,
  ...[
    'company',
    'address1',
    'address2',
    'city',
    'province',
    'province code',
    'country',
    'country code',
    'zip',
    'phone',
  ],
  ...['company', 'address1', 'address2', 'city', 'province code', 'country code', 'zip', 'phone'].map(
    (name) => `default address ${name}`,
  ),
]);

/** The export of customers of Shopify, with their default address. */
export function shopifyCustomers(): Form {
  return {
    columns: customerColumns.map((column) => [column]),
    gives: [
      ...['email', 'firstname', 'lastname', 'street', 'city', 'postcode', 'country', 'region', 'telephone', 'company'],
    ],
    leftOut: (column) => (usedOfCustomers.has(column) ? undefined : 'the shop keeps no such thing of a customer'),
    read(row) {
      const of = (name: string) => firstCell(row, `default address ${name}`, name) ?? '';
      const person = { email: of('email'), firstname: of('first name'), lastname: of('last name') };
      const street = [of('address1'), of('address2')].filter((line) => line !== '').join('\n');
      if (street === '' && of('city') === '') return { cells: person };
      const cells = {
        ...person,
        ...{
          street,
          city: of('city'),
          postcode: bare(of('zip')),
          company: of('company'),
          telephone: bare(of('phone')),
        },
        country: of('country code') || of('country'),
        region: of('province code') || of('province'),
      };
      return { cells };
    },
  };
}
