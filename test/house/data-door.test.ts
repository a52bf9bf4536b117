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

/** What money flows lock, and what they write beside it: rows within a transaction, never entities. */
const rowsOnly = [
  ...['Order', 'OrderItem', 'OrderPayment', 'OrderComment', 'OrderCredit', 'OrderCreditReturn'],
  ...['CreditMemo', 'CreditMemoItem', 'Return', 'ReturnItem', 'ReturnComment', 'StockMovement'],
  ...['RefundAttempt', 'ReturnProcess', 'ReturnProcessItem', 'AuditEntry', 'CreditRefund', 'LayawayCancellation'],
  ...['Invoice', 'InvoiceItem', 'Shipment', 'ShipmentItem', 'MoneyIn'],
];
const calls = (names: string) => new RegExp(`\\.(?:${names})\\(\\s*(?:${rowsOnly.join('|')})\\b`);
const writesEntity = calls('create|assign|insert\\w*|upsert\\w*|nativeUpdate|nativeDelete|populate');
const readsEntity = calls('find\\w*|count');
const locks = /\btransact\(|\blockMode\b|\bLockMode\b|\block(?:Order|Return|Customer)\w*\(|\bjoined\(/;

test('what money flows lock is an entity only where it is read, on a path without a lock', () => {
  const reads = sourcesOf('db');
  const flows = [...reads, ...sourcesOf('books', 'providers', 'activities', 'worker', 'cli')];
  const readers = reads.filter(({ text }) => readsEntity.test(text));
  expect(flows.flatMap(({ path, text }) => (writesEntity.test(text) ? [path] : []))).toEqual([]);
  expect(readers.flatMap(({ path, text }) => (locks.test(text) ? [path] : []))).toEqual([]);
  const elsewhere = flows.filter(({ path }) => !path.startsWith('db/'));
  expect(elsewhere.flatMap(({ path, text }) => (readsEntity.test(text) ? [path] : []))).toEqual([]);
  expect('em.findOne(Return, { returnId })').toMatch(readsEntity);
  expect('tx.create(Return, { returnId })').toMatch(writesEntity);
  expect('await lockOrder(tx, orderId)').toMatch(locks);
});

const saysSql = /\bstatement\(\{|\bsql\('/;
const editsRecords =
  /\b(?:em|tx|freshReads\(\w+\))\.(?:find\w*|create|assign|upsert\w*|insert\w*|nativeDelete|nativeUpdate|count|remove|populate)\(/;

test('a file edits records or says SQL, never both', () => {
  const both = sources.filter(({ text }) => saysSql.test(text) && editsRecords.test(text));
  expect(both.map(({ path }) => path)).toEqual([]);
  expect('const lock = statement({').toMatch(saysSql);
  expect("const lock = sql('hold-order.lock')`").toMatch(saysSql);
  expect('await tx.findOne(Role, { roleId })').toMatch(editsRecords);
});
