import type { EntityManager } from '@mikro-orm/postgresql';
import { readConfigValue } from '../../../db/platform/stores/read-config-value.ts';
import { invalid } from '../../../domain/errors.ts';
import {
  cell,
  firstCell,
  type CsvRow,
  type Form,
  type ImportKind,
  type OpenImport,
  type Origin,
  type Reading,
} from '../read-rows.ts';
import { inPounds, shopifyCustomers, shopifyProducts } from './shopify.ts';

const used: ReadonlySet<string> = new Set([
  ...[
    'item name',
    'variation name',
    'sku',
    'description',
    'price',
    'gtin',
    'archived',
    'sellable',
    'default unit cost',
  ],
]);

/** The name of a variation where an item has only one. */
const onlyOne = 'regular';

/**
 * The export of the item library of Square. Each variation is a product. A tax that is switched on for it makes it
 * taxable goods; with several locations the quantities are left out, because one source would get them all.
 */
function squareItems(columns: readonly string[]): Form {
  const taxes = columns.filter((column) => column.startsWith('tax - '));
  const quantities = columns.filter((column) => column.startsWith('current quantity'));
  const [quantity] = quantities.length === 1 ? quantities : [];
  const weight = columns.find((column) => /^weight \(\w+\)$/.test(column));
  const isUsed = (column: string) =>
    used.has(column) || column === quantity || column === weight || taxes.includes(column);
  return {
    columns: [['item name'], ['variation name'], ['sku'], ['price']],
    gives: [...['sku', 'name', 'price', 'status', 'weight', 'qty', 'tax_class_id', 'description', 'cost', 'barcode']],
    leftOut: (column) => (isUsed(column) ? undefined : whyNot(column)),
    read(row) {
      const variation = cell(row, 'variation name') ?? '';
      const parts = [cell(row, 'item name') ?? '', variation.toLowerCase() === onlyOne ? '' : variation];
      const isSold = !isYes(row['archived']) && (row['sellable'] ?? 'Y') !== 'N';
      const isTaxed = taxes.length === 0 || taxes.some((column) => isYes(row[column]));
      return {
        ...{ sku: cell(row, 'sku') ?? '', price: cell(row, 'price') ?? '' },
        name: parts.filter((part) => part !== '').join(' - '),
        status: isSold ? '1' : '2',
        tax_class_id: isTaxed ? '' : '0',
        qty: quantity === undefined ? '' : (cell(row, quantity) ?? ''),
        weight: weight === undefined ? '' : inPounds(cell(row, weight), weight.slice(weight.indexOf('(') + 1, -1)),
        barcode: cell(row, 'gtin') ?? '',
        cost: cell(row, 'default unit cost') ?? '',
        description: cell(row, 'description') ?? '',
      };
    },
  };
}

const isYes = (text: string | undefined) => /^(?:y|yes)$/i.test(text ?? '');

function whyNot(column: string): string {
  if (column.startsWith('current quantity'))
    return 'one source cannot get the goods of several locations: use import stock';
  if (column.startsWith('modifier set')) return 'options of a product are sent by POST /V1/products/options';
  return 'the column has no meaning here';
}

const customerColumns = ['first name', 'email address'] as const;

const usedOfCustomers: ReadonlySet<string> = new Set([
  ...customerColumns,
  ...['last name', 'surname', 'phone number', 'company name', 'street address 1', 'street address 2', 'city', 'state'],
  ...['postal code', 'postcode', 'birthday'],
]);

/**
 * The export of the customer directory of Square. Its addresses have no country: they are of the country where the shop
 * is (`general/store_information/country_id`).
 */
function squareCustomers(_columns: readonly string[], country: string): Form {
  if (country === '')
    throw invalid(
      'The addresses of Square have no country. Set it first: config set general/store_information/country_id.',
    );
  return {
    columns: [...customerColumns.map((column) => [column]), ['last name', 'surname']],
    gives: [
      ...['email', 'firstname', 'lastname', 'dob', 'street', 'city', 'postcode', 'country', 'region', 'telephone'],
      'company',
    ],
    leftOut: (column) => (usedOfCustomers.has(column) ? undefined : 'the shop keeps no such thing of a customer'),
    read(row): CsvRow {
      const of = (...names: string[]) => firstCell(row, ...names) ?? '';
      const person = {
        ...{ email: of('email address'), firstname: of('first name'), lastname: of('last name', 'surname') },
        dob: of('birthday'),
      };
      const street = [of('street address 1'), of('street address 2')].filter((line) => line !== '').join('\n');
      if (street === '' && of('city') === '') return person;
      return {
        ...person,
        ...{ street, city: of('city'), postcode: of('postal code', 'postcode'), region: of('state'), country },
        ...{ company: of('company name'), telephone: of('phone number') },
      };
    },
  };
}

const barcodes = ['gtin, upc, ean, or isbn', 'gtin', 'gtin upc ean or isbn'];
const woocommerceUsed: ReadonlySet<string> = new Set([
  ...['type', 'sku', 'name', 'published', 'visibility in catalog', 'short description', 'description'],
  ...['date sale price starts', 'date sale price ends', 'tax status', 'tax class', 'stock', 'sale price'],
  ...['regular price', 'categories', 'id', 'parent', ...barcodes],
]);

/** What its column of visibility says, as ours does. */
const visibilities: Readonly<Record<string, string>> = { visible: '4', catalog: '2', search: '3', hidden: '1' };

/**
 * The export of goods of WooCommerce. A variation is a product of its own; the product that it belongs to is not sold
 * by itself. Its days are `2030-12-31`, with or without a time.
 */
function wooCommerceProducts(columns: readonly string[]): Form {
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
    leftOut: (column) => (woocommerceUsed.has(column) || column === weight ? undefined : woocommerceWhyNot(column)),
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

const woocommerceWhyNot = (column: string) =>
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

type OpenForm = (columns: readonly string[], country: string) => Form;

const forms: Readonly<Record<Exclude<Origin, 'platform'>, Readonly<Record<string, OpenForm>>>> = {
  shopify: { products: shopifyProducts, customers: shopifyCustomers },
  woocommerce: { products: wooCommerceProducts },
  square: { products: squareItems, customers: squareCustomers },
};

/**
 * The kind that reads rows of another system's export. The platform's own export is read by the kinds themselves.
 * Refused with 400: the system has no such export.
 */
export function kindFrom(what: string, kind: ImportKind, origin: Origin | undefined): ImportKind {
  if (origin === undefined || origin === 'platform') return kind;
  const openForm = forms[origin][what];
  if (!openForm) throw invalid('No export of %1 by %2 is known here.', [what, origin]);
  return {
    columns: [],
    async open(em, columns, options) {
      const form = openForm(columns, what === 'customers' ? await countryOf(em) : '');
      const missing = form.columns.filter((names) => !names.some((name) => columns.includes(name)));
      if (missing.length > 0)
        throw invalid('This is no export of %1: it has no column %2.', [
          origin,
          missing.map(([name]) => name).join(', '),
        ]);
      const open = await kind.open(em, form.gives, options);
      const leftOut = columns.flatMap((column): [string, string][] => {
        const why = form.leftOut(column);
        return why === undefined ? [] : [[column, why]];
      });
      return { leftOut: new Map(leftOut), read: (row) => readBy(form, open, row) };
    },
  };
}

function readBy(form: Form, open: OpenImport, row: CsvRow): Reading {
  const input = form.read(row);
  if (isSkipped(input)) return input;
  const whole: CsvRow = Object.fromEntries(form.gives.map((column) => [column, input[column] ?? '']));
  const reading = open.read(whole);
  if ('leftOut' in reading) return reading;
  const notes = [...open.leftOut].flatMap(([column, why]) => (whole[column] ? [`${column}: ${why}`] : []));
  return { ...reading, save: async (em) => [...(await reading.save(em)), ...notes] };
}

const isSkipped = (input: ReturnType<Form['read']>): input is { leftOut: string } => Object.hasOwn(input, 'leftOut');

const countryOf = async (em: EntityManager) =>
  (await readConfigValue(em, 'general/store_information/country_id', { storeId: 0, websiteId: 0 })) ?? '';
