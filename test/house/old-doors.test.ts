import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { importsOf, sourcesOf } from './sources.ts';

/**
 * Files that still reach PostgreSQL past `db/support/statement.ts`, a line each: the door, then the file. The list only
 * gets shorter. A file that moves loses its line; a new file never gets one.
 */
const listed = readFileSync(new URL('old-doors.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean);

const product = ['db', 'books', 'providers', 'activities', 'worker', 'api', 'cli'] as const;

/** Modules that the door replaces. */
const oldModules = ['query', 'read-prepared', 'plain-rows', 'insert-rows', 'insert-sql', 'run-search'];
const oldModule = new RegExp(`^db/support/(${oldModules.join('|')})\\.ts$`);

const doorsOf = (source: { path: string; text: string }) => [
  ...(/(?<!workflow)\.execute\s*[<(]/.test(source.text) ? ['execute'] : []),
  ...importsOf(source).flatMap(({ to }) => oldModule.exec(to)?.[1] ?? []),
];

const found = sourcesOf(...product)
  .filter(({ path }) => !/^db\/(?:migrations\/|migrate)/.test(path))
  .flatMap((source) => [...new Set(doorsOf(source))].map((door) => `${door} ${source.path}`))
  .toSorted();

test('nobody new reaches PostgreSQL past the data door', () => {
  expect(found.filter((line) => !listed.includes(line))).toEqual([]);
});

test('every file on the list of old doors still uses one', () => {
  expect(listed.filter((line) => !found.includes(line))).toEqual([]);
  expect(listed).toEqual(listed.toSorted());
});

/** What money flows lock, and what they write beside it: rows at run time, never entities. */
const rowsOnly = [
  ...['Order', 'OrderItem', 'OrderPayment', 'OrderComment', 'OrderCredit', 'OrderCreditReturn'],
  ...['CreditMemo', 'CreditMemoItem', 'Return', 'ReturnItem', 'ReturnComment', 'StockMovement'],
  ...['RefundAttempt', 'ReturnProcess', 'ReturnProcessItem', 'AuditEntry'],
];
const asEntity = new RegExp(`\\.(?:find\\w*|create|assign|count|insert|populate)\\(\\s*(?:${rowsOnly.join('|')})\\b`);

test('what money flows lock is never an entity at run time', () => {
  const flows = sourcesOf('db', 'books', 'providers', 'activities', 'worker', 'cli');
  expect(flows.flatMap(({ path, text }) => (asEntity.test(text) ? [path] : []))).toEqual([]);
  expect('em.findOne(Return, { returnId })').toMatch(asEntity);
});
