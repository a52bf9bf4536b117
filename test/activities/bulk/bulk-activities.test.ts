import { randomUUID } from 'node:crypto';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { expect, test } from '@jest/globals';
import { createBulkActivities, type OperationRunner } from '../../../activities/bulk.ts';
import { openBulk } from '../../../db/bulk/open-bulk.ts';
import { createIntegrationToken } from '../../../db/platform/access/create-signed-integration.ts';
import { conflict, PosError } from '../../../domain/errors.ts';
import { keyInUse } from '../../../domain/idempotency.ts';
import { booksOf } from '../../support/books.ts';
import { useDatabase } from '../../support/fixtures.ts';

const orm = useDatabase();

const { operationsOf, findOne, fork, change } = booksOf(() => orm);

/** A bulk of three operations by an integration of its own. */
async function aBulk() {
  const name = `Importer ${randomUUID()}`;
  await createIntegrationToken(fork(), { name, resources: ['Platform_Catalog::products'] });
  const { integration_id: userId } = await findOne('integration', { name }, 'integration_id');
  const bulkUuid = randomUUID();
  const operation = { sources: { path: {}, query: {}, body: {} } };
  await openBulk(fork(), {
    ...{ bulkUuid, userType: 'integration', userId, route: 'POST /V1/products' },
    store: { storeId: 0, websiteId: 0, code: 'admin' },
    operations: [operation, operation, operation],
  });
  return { bulkUuid, userId };
}

function runBatch(bulkUuid: string, attempt: number, run: OperationRunner['run']) {
  const context = { info: { attempt }, cancellationSignal: new AbortController().signal, heartbeat: () => undefined };
  const runner = { isOneTransaction: () => true, isPassing: () => false, run };
  const { runBulkBatch } = createBulkActivities({
    orm,
    runner: () => Promise.resolve(runner),
    log: { error: () => undefined },
  });
  return asyncLocalStorage.run(context as unknown as Context, () => runBulkBatch({ bulkUuid, limit: 100 }));
}

const endsOf = async (bulkUuid: string) => {
  const { bulk_id: id } = await findOne('bulk', { bulk_uuid: bulkUuid }, 'bulk_id');
  return operationsOf(id, 'status', 'error_code');
};
const done = { text: 'true', committed: () => undefined };
const done1 = { status: 1, error_code: null };

test('what was away for minutes is worth the same again, a fault is not, and the others go on', async () => {
  const { bulkUuid } = await aBulk();
  const away = new PosError({ status: 503, message: 'The card processor cannot be reached.' });
  const run: OperationRunner['run'] = ({ operationKey }) => {
    if (operationKey === 0) return Promise.reject(away);
    return operationKey === 1 ? Promise.reject(new TypeError('a bug')) : Promise.resolve(done);
  };
  await expect(runBatch(bulkUuid, 1, run)).rejects.toBe(away);
  expect(await runBatch(bulkUuid, 10, run)).toMatchObject({ complete: 1, failed: 2, isDone: true });
  expect(await endsOf(bulkUuid)).toEqual([{ status: 2, error_code: 503 }, { status: 3, error_code: 500 }, done1]);
});

test('a right that is taken away in the middle of a batch counts from the next operation on', async () => {
  const { bulkUuid, userId } = await aBulk();
  const seen: (readonly string[])[] = [];
  await runBatch(bulkUuid, 1, async ({ operationKey, caller }) => {
    seen.push(caller.resources);
    if (operationKey === 0) await change('integration', { integration_id: userId }, { resources: '[]' });
    if (operationKey === 1) await change('integration', { integration_id: userId }, { is_active: false });
    return done;
  });
  expect(seen).toEqual([['Platform_Catalog::products'], [], []]);
  expect(await endsOf(bulkUuid)).toEqual([done1, done1, done1]);
});

test.each([
  ['its claim', keyInUse()],
  ['its return', conflict('return_not_ready', 'Try again in a moment.')],
])('what a worker began that died is carried out once %s is free; a doubt is the end', async (_what, underWay) => {
  const { bulkUuid } = await aBulk();
  const doubt = conflict('gateway_uncertain', 'The gateway has not said it.');
  let isFree = false;
  const run: OperationRunner['run'] = async ({ operationKey }) => {
    if (operationKey === 1) throw doubt;
    if (operationKey === 0 && !isFree) throw underWay;
    return done;
  };
  await expect(runBatch(bulkUuid, 1, run)).rejects.toBe(underWay);
  isFree = true;
  expect(await runBatch(bulkUuid, 2, run)).toMatchObject({ complete: 2, failed: 1, isDone: true });
  expect(await endsOf(bulkUuid)).toEqual([done1, { status: 2, error_code: 409 }, done1]);
});
