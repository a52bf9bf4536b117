import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { msToTs, tsToMs } from '@temporalio/common/lib/time.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lackOf, prepareNamespace, readNamespace } from '../../../providers/temporal/prepare-namespace.ts';
import { searchAttributes } from '../../../providers/temporal/search-attributes.ts';
import * as everyKey from '../../../workflows/support/search-attributes.ts';
import { twiceAtOnce } from '../../support/rivals.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await Connection.connect({ address: process.env['TEST_TEMPORAL'] ?? '' });
});
afterAll(() => connection.close());

const newName = () => `prepared-${randomUUID()}`;

const withDays = (namespace: string, days: number) =>
  connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs(`${days} days`),
  });

const days = async (namespace: string) => {
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  return tsToMs(config?.workflowExecutionRetentionTtl) / 86_400_000;
};

test('a server that has nothing gets the namespace, its search attributes and thirty days; then nothing is missing', async () => {
  const namespace = newName();
  expect(lackOf(await readNamespace(connection, namespace), namespace)).toEqual({
    part: 'namespace',
    says: `"${namespace}" does not exist`,
  });

  const made = await prepareNamespace(connection, namespace);

  expect(made).toEqual([
    'the namespace, with 30 days of closed workflows',
    `the search attributes ${Object.keys(searchAttributes).join(', ')}`,
  ]);
  expect(await readNamespace(connection, namespace)).toEqual({ keptDays: 30, missing: [] });
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  expect(Object.keys(customAttributes).toSorted()).toEqual(Object.keys(searchAttributes).toSorted());
  expect(await prepareNamespace(connection, namespace)).toEqual([]);
});

test('closed workflows that were kept for three days are kept for thirty; ninety stay ninety', async () => {
  const [short, long] = [newName(), newName()];
  await withDays(short, 3);
  await withDays(long, 90);

  expect(await prepareNamespace(connection, short)).toContain('30 days of closed workflows');
  await prepareNamespace(connection, long);

  expect([await days(short), await days(long)]).toEqual([30, 90]);
});

test('two who prepare a server at once are both content', async () => {
  const namespace = newName();

  await twiceAtOnce(() => prepareNamespace(connection, namespace));

  expect(await readNamespace(connection, namespace)).toEqual({ keptDays: 30, missing: [] });
});

test('the server of npm start keeps closed workflows as long', async () => {
  expect(await days('pos')).toBe(30);
});

test('what is made is what workflows write, each of its type', () => {
  const written = Object.values(everyKey).map(({ name, type }) => [name, type]);
  const made = Object.entries(searchAttributes).map(([name, type]) => [name, type.toUpperCase()]);
  expect(Object.fromEntries(made)).toEqual(Object.fromEntries(written));
});
