import { invalid } from '../../../domain/errors.ts';
import { cell, firstCell, giftCards, type Form } from '../read-rows.ts';
import { inPounds } from './shopify.ts';

const used: ReadonlySet<string> = new Set([
  ...[
    'item name',
    'item type',
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
export function squareItems(columns: readonly string[]): Form {
  const taxes = columns.filter((column) => column.startsWith('tax - '));
  const quantities = columns.filter((column) => column.startsWith('current quantity'));
  const [quantity] = quantities.length === 1 ? quantities : [];
  const weight = columns.find((column) => /^weight \(\w+\)$/.test(column));
  const isUsed = (column: string) =>
    used.has(column) || column === quantity || column === weight || taxes.includes(column);
  return {
    columns: [['item name'], ['variation name'], ['sku'], ['price']],
    gives: [
      ...['sku', 'name', 'price', 'status', 'weight', 'qty', 'manage_stock', 'tax_class_id'],
      ...['description', 'cost', 'barcode'],
    ],
    areGoods: true,
    leftOut: (column) => (isUsed(column) ? undefined : whyNot(column)),
    read(row) {
      if (/gift card/i.test(row['item type'] ?? '')) return { leftOut: giftCards };
      const isCounted = quantities.some((column) => cell(row, column) !== undefined);
      const variation = cell(row, 'variation name') ?? '';
      const parts = [cell(row, 'item name') ?? '', variation.toLowerCase() === onlyOne ? '' : variation];
      const isSold = !isYes(row['archived']) && (row['sellable'] ?? 'Y') !== 'N';
      const isTaxed = taxes.length === 0 || taxes.some((column) => isYes(row[column]));
      const cells = {
        ...{ sku: cell(row, 'sku') ?? '', price: cell(row, 'price') ?? '' },
        name: parts.filter((part) => part !== '').join(' - '),
        status: isSold ? '1' : '2',
        tax_class_id: isTaxed ? '' : '0',
        qty: quantity === undefined ? '' : (cell(row, quantity) ?? ''),
        weight: weight === undefined ? '' : inPounds(cell(row, weight), weight.slice(weight.indexOf('(') + 1, -1)),
        barcode: cell(row, 'gtin') ?? '',
        cost: cell(row, 'default unit cost') ?? '',
        description: cell(row, 'description') ?? '',
        // Square sells what it does not count.
        manage_stock: quantities.length === 0 ? '' : isCounted ? '1' : '0',
      };
      return { cells };
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
export function squareCustomers(_columns: readonly string[], country: string): Form {
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
    read(row) {
      const of = (...names: string[]) => firstCell(row, ...names) ?? '';
      const person = {
        ...{ email: of('email address'), firstname: of('first name'), lastname: of('last name', 'surname') },
        dob: of('birthday'),
      };
      const street = [of('street address 1'), of('street address 2')].filter((line) => line !== '').join('\n');
      if (street === '' && of('city') === '') return { cells: person };
      const cells = {
        ...person,
        ...{ street, city: of('city'), postcode: of('postal code', 'postcode'), region: of('state'), country },
        ...{ company: of('company name'), telephone: of('phone number') },
      };
      return { cells };
    },
  };
}
