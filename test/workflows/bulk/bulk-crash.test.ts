import { afterAll, beforeAll, expect, test } from 'vitest';
import { booksOf } from '../../support/books.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { aWorkerProcess } from '../../support/own-process.ts';
import { like, something } from '../../support/books/which.ts';

let flow: Flow;
beforeAll(async () => {
  flow = await aFlow({ startsWorker: false });
});
afterAll(() => flow.close());

const { howMany } = booksOf(() => flow.api.orm);

test('an import survives a worker that is killed: every product is there, and each was saved once', async () => {
  const first = await aWorkerProcess(flow);
  const found = Array.from({ length: 600 }, (_, at) => ({
    product: { sku: `CRASH-${at}`, name: `Product ${at}`, price: 1 },
  }));
  const { body } = await flow.api.call('POST', '/rest/async/bulk/V1/products', {
    token: flow.api.tokens.admin,
    body: found,
  });
  const imported = () => howMany('product', { sku: like('CRASH-%') });
  await waitUntil('some are there', async () => (await imported()) >= 150);
  await first.kill();
  const left = await imported();
  expect(left).toBeLessThan(600);
  // Of each the product and its end are there, or neither.
  expect(await howMany('bulk_operation', { status: 1 })).toBe(left);

  const second = await aWorkerProcess(flow);
  await waitUntil('all are there', async () => (await howMany('bulk', { finished_at: something })) === 1);
  expect(await imported()).toBe(600);
  expect(await howMany('bulk_operation', { status: 1 })).toBe(600);
  expect(
    (await flow.api.call('GET', `/V1/bulk/${body.bulk_uuid}/operation-status/1`, { token: flow.api.tokens.admin }))
      .body,
  ).toBe(600);
  await second.kill();
});
