import { fine, type Answer } from './support/answer.ts';

/** A column of a file: its name, what stands in it, and a cell as an example. */
type Column = readonly [name: string, says: string, example: string];

/** What `import --help` tells, and `import … --template` writes. A test imports each example. */
export const importColumns: Readonly<Record<string, readonly Column[]>> = {
  products: [
    ['sku', 'needed; the same sku is the same product', 'MUG-WHITE'],
    ['name', 'needed for a new product', 'Mug, white'],
    ['price', 'needed for a new product; in the base currency', '12.00'],
    ['status', '1 for sale, 2 not', '1'],
    ['visibility', '1 nowhere, 2 in lists, 3 in searches, 4 in both', '4'],
    ['type', 'simple or virtual', 'simple'],
    ['weight', 'with at most four decimals', '0.35'],
    ['websites', 'codes with | between', 'base'],
    ['categories', 'ids with | between', '2'],
    ['tax_class_id', '2 is taxable goods', '2'],
  ],
  customers: [
    ['email', 'needed; the same address on one website is the same customer', 'grace@shop.example'],
    ['firstname', 'needed', 'Grace'],
    ['lastname', 'needed', 'Green'],
    ['website', 'a code; empty: the default one', 'base'],
    ['group', 'the code of a customer group', 'General'],
    ['dob', 'the day of birth', '1990-12-31'],
    ['street', 'an address is added where there is none yet', '1 High Street'],
    ['city', 'of the address', 'Troy'],
    ['postcode', 'of the address', '12180'],
    ['country', 'two letters', 'US'],
    ['region', 'the code of the region', 'NY'],
    ['telephone', 'of the address', '+1 518 555 0100'],
  ],
  stock: [
    ['sku', 'needed; the product is there already', 'MUG-WHITE'],
    ['source', 'needed; the code of a source', 'high_street'],
    ['quantity', 'needed; how many lie there now', '25'],
    ['status', '1 for sale, 0 not; empty: for sale above zero', '1'],
  ],
  staff: [
    ['email', 'needed; the same address is the same person', 'carla@shop.example'],
    ['first_name', 'needed', 'Carla'],
    ['last_name', 'needed', 'Cruz'],
    ['role', 'needed; the name of a role', 'Cashier'],
    ['locations', 'codes with | between, or all', 'high-street'],
    ['passcode', 'empty: one is made for who is new, and shown once', ''],
    ['active', '1, or 0 for who left', '1'],
  ],
};

export const importables = Object.keys(importColumns);

/** `import … --template`: the first line of a file and a row as an example. */
export function importTemplate(what: string): Answer {
  const columns = importColumns[what] ?? [];
  const cells = (at: 0 | 2) =>
    columns.map((column) => (/[",]/.test(column[at]) ? `"${column[at]}"` : column[at])).join(',');
  return fine(`${cells(0)}\n${cells(2)}`, { columns: columns.map(([name, says]) => ({ name, says })) });
}

/** The columns of every kind of file, for `--help`. */
export const columnsHelp = (): string =>
  Object.entries(importColumns)
    .map(([what, columns]) => `\n${what}:\n${columns.map(([name, says]) => `  ${name.padEnd(14)} ${says}`).join('\n')}`)
    .join('\n');
