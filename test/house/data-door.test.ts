import { expect, test } from '@jest/globals';
import { sourcesOf } from './sources.ts';

/** Migrations run before the door can be opened. */
const sources = sourcesOf('db', 'books', 'providers', 'activities', 'worker', 'api', 'cli').filter(
  ({ path }) => !/^db\/(?:migrations\/|migrate)/.test(path),
);

/** Ways to PostgreSQL that only the door itself may take. */
const pastTheDoor = /(?<!workflow)\.execute\s*[<(]|\bgetKysely\b|\bCompiledQuery\b|\bgetNativeClient\b/;

test('nothing reaches PostgreSQL past the data door', () => {
  expect(sources.flatMap(({ path, text }) => (pastTheDoor.test(text) ? [path] : []))).toEqual(['db/support/send.ts']);
  expect(`await em.execute('select 1')`).toMatch(pastTheDoor);
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
  /\b(?:em|tx|freshReads\(\w+\))\.(?:find\w*|create|assign|upsert\w*|insert\w*|nativeDelete|nativeUpdate|count|remove|populate)\(/;

test('a file edits records or says SQL, never both', () => {
  const both = sources.filter(({ text }) => saysSql.test(text) && editsRecords.test(text));
  expect(both.map(({ path }) => path)).toEqual([]);
  expect('const lock = statement({').toMatch(saysSql);
  expect('await tx.findOne(Role, { roleId })').toMatch(editsRecords);
});
