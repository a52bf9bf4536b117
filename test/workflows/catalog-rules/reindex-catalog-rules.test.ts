import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { NativeConnection, Worker } from '@temporalio/worker';
import { booksOf } from '../../support/books.ts';
import { rulePrices } from '../../support/books/rule-prices.ts';
import { aCatalogRule } from '../../support/builders/catalog-rule.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { recordHistory } from '../../support/record-history.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { refreshSignal } from '../../../workflows/messages.ts';

let flow: Flow;
beforeAll(async () => {
  flow = await aFlow();
});
afterAll(() => flow.close());

const run = async (name: string) => {
  const workflowId = `reindex-${name}-${flow.taskQueue}`;
  const result: unknown = await flow.client.workflow.execute('reindexCatalogRules', {
    taskQueue: flow.taskQueue,
    workflowId,
    args: [],
  });
  return { workflowId, result };
};

const prices = async () => {
  const mugs = (await rulePrices(booksOf(() => flow.api.orm))).filter(({ sku }) => sku === 'MUG');
  return [...new Set(mugs.map(({ price }) => price))];
};

test('a run works out what is due; two at once, and one more, come to the same', async () => {
  await aCatalogRule(flow.api.orm);
  const [first, second] = await Promise.all([run('1'), run('2')]);
  await recordHistory(flow.client, first.workflowId, 'reindex-catalog-rules');

  expect([first.result, second.result]).toContainEqual({ products: 3, changed: 36 });
  expect(await prices()).toEqual([45]);
  expect((await run('3')).result).toEqual({ products: 0, changed: 0 });
});

test('who saves a product or a rule starts one', async () => {
  const { api } = flow;
  const saved = await api.call('PUT', '/V1/products/MUG', {
    token: api.tokens.admin,
    body: { product: { price: 60 } },
  });
  expect(saved.status).toBe(200);
  await waitUntil('the mug costs 54', async () => (await prices()).join() === '54');

  const rule = { name: 'More', simple_action: 'to_fixed', discount_amount: 12, sort_order: 5 };
  await api.call('POST', '/V1/catalogRules', { token: api.tokens.admin, body: { rule } });
  await waitUntil('the mug costs 12', async () => (await prices()).join() === '12');
});

/** A change that is saved after a run read what is due, and before it ended, starts no run: the run has its id. */
test('a run that is signalled while it ends looks once more', async () => {
  const taskQueue = `test-${randomBytes(6).toString('hex')}`;
  const workflowId = `reindex-${taskQueue}`;
  let looks = 0;
  const activities = {
    openIndexDay: () => Promise.resolve(0),
    reindexDue: async () => {
      looks += 1;
      if (looks === 1) await flow.client.workflow.getHandle(workflowId).signal(refreshSignal);
      return { products: looks, changed: 0, isDone: true };
    },
  };
  const connection = await NativeConnection.connect({ address: flow.temporalAddress });
  const worker = await Worker.create({
    connection,
    namespace: 'pos',
    taskQueue,
    workflowBundle: { codePath: process.env['TEST_BUNDLE'] ?? '' },
    activities,
  });
  const total = await worker.runUntil(
    flow.client.workflow.execute('reindexCatalogRules', { taskQueue, workflowId, args: [] }),
  );
  await connection.close();

  expect(total).toEqual({ products: 1 + 2, changed: 0 });
});
