import { expect, test } from '@jest/globals';
import { importsOf, sourcesOf } from './sources.ts';

/** Migrations run before the door can be opened. */
const sources = sourcesOf('db', 'books', 'providers', 'activities', 'worker', 'api', 'cli').filter(
  ({ path }) => !/^db\/(?:migrations\/|migrate)/.test(path),
);

const importersOf = (file: string) =>
  sources.filter((source) => importsOf(source).some(({ to }) => to === file)).map(({ path }) => path);

/** Ways to PostgreSQL that only the door itself may take. */
const pastTheDoor = /(?<!workflow)\.execute\s*[<(]|\bgetKysely\b|\bCompiledQuery\b|\bgetNativeClient\b/;

test('nothing reaches PostgreSQL past the data door', () => {
  expect(sources.flatMap(({ path, text }) => (pastTheDoor.test(text) ? [path] : []))).toEqual(['db/support/send.ts']);
  expect(`await em.execute('select 1')`).toMatch(pastTheDoor);
});

test('a text is sent as a checked statement, as rows of entities, or as one of the few that are composed', () => {
  expect(importersOf('db/support/send.ts')).toEqual([
    'db/support/composed.ts',
    'db/support/statement.ts',
    'db/support/write-rows.ts',
  ]);
});

test('texts are composed for the filters of a search and for the rules of the books, and for nothing else', () => {
  expect(importersOf('db/support/composed.ts')).toEqual([
    'books/verify/verify.ts',
    'db/support/known-count.ts',
    'db/support/search.ts',
  ]);
});

/** What money flows lock, and what they write beside it: rows at run time, never entities. */
const rowsOnly = [
  ...['Order', 'OrderItem', 'OrderPayment', 'OrderComment', 'OrderCredit', 'OrderCreditReturn'],
  ...['CreditMemo', 'CreditMemoItem', 'Return', 'ReturnItem', 'ReturnComment', 'StockMovement'],
  ...['RefundAttempt', 'ReturnProcess', 'ReturnProcessItem', 'AuditEntry', 'CreditRefund', 'LayawayCancellation'],
  ...['Invoice', 'InvoiceItem', 'Shipment', 'ShipmentItem', 'MoneyIn'],
];
const asEntity = new RegExp(`\\.(?:find\\w*|create|assign|count|insert|populate)\\(\\s*(?:${rowsOnly.join('|')})\\b`);

test('what money flows lock is never an entity at run time', () => {
  const flows = sourcesOf('db', 'books', 'providers', 'activities', 'worker', 'cli');
  expect(flows.flatMap(({ path, text }) => (asEntity.test(text) ? [path] : []))).toEqual([]);
  expect('em.findOne(Return, { returnId })').toMatch(asEntity);
});

const saysSql = /\bstatement\(\{/;
const editsRecords =
  /\b(?:em|tx)\.(?:find\w*|create|assign|upsert\w*|insert\w*|nativeDelete|nativeUpdate|count|remove|populate)\(/;

test('the API asks for lists by name: what is searched, and how, stands in the database layer', () => {
  const asking = sources.filter(
    (source) =>
      source.path.startsWith('api/') &&
      importsOf(source).some(({ to, isTypeOnly }) => !isTypeOnly && /^db\/support\/(?:search|statement)\.ts$/.test(to)),
  );
  expect(asking.map(({ path }) => path)).toEqual([]);
});

test('a file edits records or says SQL, never both', () => {
  const both = sources.filter(({ text }) => saysSql.test(text) && editsRecords.test(text));
  expect(both.map(({ path }) => path)).toEqual([]);
  expect('const lock = statement({').toMatch(saysSql);
  expect('await tx.findOne(Role, { roleId })').toMatch(editsRecords);
});
