import { cell, firstCell, wrongCell, type CsvRow, type Form } from '../read-rows.ts';

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
  ...['seo title', 'seo description'],
]);

/**
 * The export of goods of Shopify. Each variant with a SKU is a product; its name has the chosen options after the
 * title. Rows of a product stand together: those after the first have neither title nor texts, and some have a picture
 * only.
 */
export function shopifyProducts(): Form {
  let product: CsvRow = {};
  return {
    columns: Object.values(columns),
    gives: [
      ...['sku', 'name', 'price', 'status', 'visibility', 'type', 'weight', 'qty', 'tax_class_id'],
      ...['description', 'meta_title', 'meta_description', 'cost', 'barcode'],
    ],
    leftOut: (column) => (used.has(column) ? undefined : whyNot(column)),
    read(row) {
      if (firstCell(row, 'title') !== undefined) product = row;
      const [sku, price] = [firstCell(row, ...columns.sku), firstCell(row, ...columns.price)];
      if (sku === undefined && price === undefined) return { leftOut: 'rows with a picture only' };
      const whole = firstCell(row, ...columns.handle) === firstCell(product, ...columns.handle) ? product : row;
      if (isYes(cell(whole, 'gift card'))) return { leftOut: 'gift cards: pos giftcard create issues them' };
      return variant(row, whole, { sku: sku ?? '', price: price ?? '' });
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
  return {
    ...{ sku: bare(sku), name, price },
    status: status === 'active' ? '1' : '2',
    visibility: isShown !== undefined && !isYes(isShown) ? '1' : '',
    type: ships !== undefined && !isYes(ships) ? 'virtual' : 'simple',
    weight: inPounds(firstCell(row, 'variant grams', 'weight value (grams)'), 'g'),
    tax_class_id: taxed !== undefined && !isYes(taxed) ? '0' : '',
    qty: firstCell(row, 'variant inventory qty', 'inventory quantity') ?? '',
    barcode: bare(firstCell(row, 'variant barcode', 'barcode') ?? ''),
    cost: cell(row, 'cost per item') ?? '',
    description: firstCell(whole, 'body (html)', 'description') ?? '',
    meta_title: cell(whole, 'seo title') ?? '',
    meta_description: cell(whole, 'seo description') ?? '',
  };
}

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
      if (street === '' && of('city') === '') return person;
      return {
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
    },
  };
}
