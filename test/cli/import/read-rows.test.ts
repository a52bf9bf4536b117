import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRows, type ReadRow } from '../../../cli/import/read-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'pos-rows-'));
let files = 0;
function fileOf(text: string | Buffer): string {
  const file = join(folder, `${++files}.csv`);
  writeFileSync(file, text);
  return file;
}
async function rowsOf(text: string): Promise<ReadRow[]> {
  const { rows } = await openRows(fileOf(text));
  return all(rows);
}
async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
const good = (...rows: Record<string, string>[]) => rows.map((row) => ({ row, fault: undefined, isShort: false }));
const cup = { sku: 'CUP', name: 'Cup, red', price: '4.50' };

test.each([
  ['commas', 'sku,name,price\nCUP,"Cup, red",4.50\n'],
  ['semicolons of a spreadsheet, its mark and its line ends', '\uFEFFsku;name;price\r\nCUP;Cup, red;4.50\r\n'],
  ['a first line that names the delimiter', 'sep=;\r\nsku;name;price\r\nCUP;Cup, red;4.50\r\n'],
  ['a first line that names a tab', '"sep=\t"\nsku\tname\tprice\nCUP\tCup, red\t4.50'],
  ['tabs', 'sku\tname\tprice\nCUP\t"Cup, red"\t4.50'],
  ['bars', 'sku|name|price\nCUP|Cup, red|4.50'],
  ['line ends of an old Mac', 'sku,name,price\rCUP,"Cup, red",4.50\r'],
  ['blank lines, blanks and capitals', '\n\n SKU , Name,PRICE\n\nCUP ," Cup, red ",4.50\n,,\n  \n'],
  ['delimiters at the ends of lines', 'sku,name,price,\nCUP,"Cup, red",4.50,\n'],
  ['a number that a spreadsheet wrote as a text', 'sku,name,price\n="CUP","Cup, red","=""4.50"""\n'],
  ['our file of refused rows', 'row,reason,sku,name,price\n7,"price cannot be ""x"".",CUP,"Cup, red",4.50\n'],
])('a file with %s is read', async (_what, text) => {
  expect(await rowsOf(text)).toEqual(good(cup));
});

test('a cell goes over several lines, whatever ends them', async () => {
  expect(await rowsOf('sku,name\r\nA,"one\r\ntwo ""quoted""\r\n"\r\nB,b\r\n')).toEqual(
    good({ sku: 'A', name: 'one\ntwo "quoted"' }, { sku: 'B', name: 'b' }),
  );
});

test.each(['', '\uFEFF', '\n \r\n', 'sep=;\n'])('a file of %j is empty', async (text) => {
  await expect(openRows(fileOf(text))).rejects.toMatchObject({ message: '"%1" is empty.' });
});

test('a file without rows has its columns', async () => {
  const { columns, rows } = await openRows(fileOf('sku,source,quantity'));
  expect([columns, await all(rows)]).toEqual([['sku', 'source', 'quantity'], []]);
});

test('a column that is there twice is refused with the file', async () => {
  await expect(openRows(fileOf('sku,name,SKU\nA,b,C'))).rejects.toMatchObject({
    message: 'The first line has the column "%1" twice.',
    parameters: ['sku'],
  });
});

const wrong = (text: string) => rowsOf(`sku,name,price\n${text}`);
const faults = (rows: readonly ReadRow[]) => rows.map(({ row, fault }) => fault ?? row['sku']);

test('a backslash before a quote costs its own row, and no other', async () => {
  const rows = await wrong('A,"Plate 10\\"",3\nB,Plain,4\nC,"Plate 12\\"",5\nD,Plain,6');
  const said = 'A backslash stands before a quote. Write the quote twice instead.';
  expect(faults(rows)).toEqual([said, 'B', said, 'D']);
  expect(rows[0]?.row).toEqual({ sku: 'A,"Plate 10\\"",3', name: '', price: '' });
});

test('a backslash that another quote makes up for costs its own row too', async () => {
  const rows = await wrong('A,"Plate 10\\"",3\nB,Plain,4\nC,Plate 12",5\nD,Plain,6');
  expect(faults(rows)).toEqual(['A backslash stands before a quote. Write the quote twice instead.', 'B', 'C', 'D']);
});

test('a backslash at the end of a cell is a backslash', async () => {
  expect(await wrong('A,"C:\\",3\nB,"{""a"":""x\\""y""}\nmore",4')).toEqual(
    good({ sku: 'A', name: 'C:\\', price: '3' }, { sku: 'B', name: '{"a":"x\\"y"}\nmore', price: '4' }),
  );
});

test('a quote that is not closed costs its own row, though thousands follow', async () => {
  const many = Array.from({ length: 3_000 }, (_, at) => `N${at},Next,1`);
  const rows = await wrong(['A,"Open,1', ...many].join('\n'));
  expect(rows).toHaveLength(3_001);
  expect(faults(rows).slice(0, 2)).toEqual([
    'A quote is opened and not closed. A quote within a cell is written twice.',
    'N0',
  ]);
});

test.each([
  ['more cells than columns', 'A,b,12,50', 'The row has more cells than the first line: "50".'],
  ['the names of the columns once more', 'SKU,Name,Price', 'The row is the first line again.'],
  ['a character that is no text', 'A,b\0,1', 'A cell has a character that is no text.'],
])('a row with %s is told', async (_what, line, fault) => {
  expect(faults(await wrong(`${line}\nB,c,1`))).toEqual([fault, 'B']);
});

test('a cell under no name is told, and an empty one is none', async () => {
  expect(faults(await rowsOf('sku,,price\nA,,1\nB,x,1'))).toEqual(['A', 'The cell "x" is in a column without a name.']);
});

test('a row may lack its last cells', async () => {
  expect(await wrong('A,b')).toEqual([{ row: { sku: 'A', name: 'b', price: '' }, fault: undefined, isShort: true }]);
});
