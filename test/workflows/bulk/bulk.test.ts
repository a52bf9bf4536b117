import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { booksOf } from '../../support/books.ts';
import { like, something } from '../../support/books/which.ts';
import { secretKey } from '../../support/builders/counter.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { lookNow } from '../../support/housekeeping.ts';
import { minutesAgo } from '../../support/moments.ts';
import { aWorkerProcess } from '../../support/own-process.ts';
import { recordHistory } from '../../support/record-history.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('bulk crash', () => {
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
});

describe('bulk', () => {
  let flow: Flow;
  beforeAll(async () => {
    flow = await aFlow({ settings: { POS_SECRET_KEY: secretKey } });
  });
  afterAll(() => flow.close());

  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    flow.api.call(method, path, {
      token: flow.api.tokens.admin,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
    });
  const product = (sku: string, more: object = {}) => ({ product: { sku, name: `Name of ${sku}`, price: 3, ...more } });
  const statusOf = async (uuid: string) => (await call('GET', `/V1/bulk/${uuid}/status`)).body;
  const open = async (uuid: string) => (await call('GET', `/V1/bulk/${uuid}/operation-status/4`)).body;
  const done = (uuid: string) => waitUntil('nothing is open', async () => (await open(uuid)) === 0);
  const books = booksOf(() => flow.api.orm);
  const { find, findOne, howMany, insert } = books;

  test('products come in by a bulk: 202 at once, then each with its own end', async () => {
    const { status, body } = await call('POST', '/rest/all/async/bulk/V1/products', [
      product('BULK-1'),
      product('BULK-2', { price: -1 }),
      {},
      product('BULK-1', { name: 'The last one counts' }),
    ]);
    expect(status).toBe(202);
    expect(body).toEqual({
      bulk_uuid: expect.stringMatching(/^[\da-f-]{36}$/),
      request_items: [
        { id: 0, data_hash: expect.stringMatching(/^[\da-f]{64}$/), status: 'accepted' },
        { id: 1, data_hash: expect.any(String), status: 'accepted' },
        {
          id: 2,
          data_hash: expect.any(String),
          status: 'rejected',
          error_message: expect.any(String),
          error_code: 400,
        },
        { id: 3, data_hash: expect.any(String), status: 'accepted' },
      ],
      errors: true,
    });
    await done(body.bulk_uuid);

    const { operations_list: list, ...bulk } = await statusOf(body.bulk_uuid);
    expect(list.map(({ id, status: one, error_code: code }: Record<string, unknown>) => [id, one, code])).toEqual([
      [0, 1, null],
      [1, 3, 400],
      [2, 5, null],
      [3, 1, null],
    ]);
    expect(list[1].result_message).toBe('Invalid value of "-1" provided for the price field.');
    expect(bulk).toMatchObject({
      bulk_id: body.bulk_uuid,
      description: 'Topic async.v1.products.post',
      operation_count: 4,
      user_type: 2,
    });
    const saved = (await find('product', {}, 'sku', 'name')).filter(({ sku }) => sku.startsWith('BULK-'));
    expect(saved.map(({ name }) => name)).toEqual(['The last one counts']);
    const detail = (await call('GET', `/V1/bulk/${body.bulk_uuid}/detailed-status`)).body.operations_list;
    expect(JSON.parse(detail[0].result_serialized_data)).toMatchObject({ sku: 'BULK-1' });
    // What a customer wrote is not kept longer than it is needed.
    const carriedOut = await find('bulk_operation', { status: 1 }, 'sources');
    expect(carriedOut.filter(({ sources }) => sources !== null)).toEqual([]);
    await flow.client.workflow.getHandle(`bulk-${body.bulk_uuid}`).result();
    await recordHistory(flow.client, `bulk-${body.bulk_uuid}`, 'bulk');
  });

  test('a single request is carried out later, and a change names its record as its path does', async () => {
    const { status, body } = await call('POST', '/rest/default/async/V1/products', product('LATER'));
    expect([status, body.errors, body.request_items.length]).toEqual([202, false, 1]);
    await done(body.bulk_uuid);
    const change = await call('PUT', '/rest/all/async/bulk/V1/products/bySku', [product('LATER', { price: 9 })]);
    await done(change.body.bulk_uuid);
    const single = await call('PUT', '/rest/async/V1/products/LATER', { product: { weight: 2 } });
    await done(single.body.bulk_uuid);
    expect(await find('product', { sku: 'LATER' }, 'price', 'weight')).toEqual([{ price: '9.0000', weight: '2.0000' }]);
    const gone = await call('DELETE', '/rest/async/bulk/V1/products/bySku', [{ sku: 'LATER' }, { sku: 'LATER' }]);
    await done(gone.body.bulk_uuid);
    const { operations_list: list } = await statusOf(gone.body.bulk_uuid);
    expect(list.map(({ status: one }: { status: number }) => one)).toEqual([1, 3]);
  });

  test('customers, stock and what commits several times go the same way', async () => {
    const customer = (email: string) => ({ customer: { email, firstname: 'Eve', lastname: 'A' } });
    const people = await call(
      'POST',
      '/rest/async/bulk/V1/customers',
      ['a@x.example', 'a@x.example', 'b@x.example'].map((email) => ({ ...customer(email), password: 'Lantern-2026' })),
    );
    await done(people.body.bulk_uuid);
    const credentials = { username: 'b@x.example', password: 'Lantern-2026' };
    expect((await flow.api.call('POST', '/V1/integration/customer/token', { body: credentials })).status).toBe(200);
    expect(
      (await statusOf(people.body.bulk_uuid)).operations_list.map(({ status }: { status: number }) => status),
    ).toEqual([1, 3, 1]);
    const orders = await howMany('sales_order');
    const sales = await call('POST', '/rest/async/bulk/V1/order/byOrderId/invoice', [{ orderId: 1 }]);
    await done(sales.body.bulk_uuid);
    expect((await statusOf(sales.body.bulk_uuid)).operations_list[0]).toMatchObject({ status: 3, error_code: 404 });
    expect(await howMany('sales_order')).toBe(orders);
  });

  test('a bulk without a workflow is taken up a minute later', async () => {
    const bulk = { bulk_uuid: randomUUID() };
    const [integration] = await find('integration', {}, 'integration_id');
    await insert('bulk', {
      ...{ ...bulk, user_type: 'integration', user_id: integration?.integration_id, route: 'POST /V1/products' },
      ...{ store_id: 0, website_id: 0, store_code: 'admin', operations: 1 },
    });
    const { bulk_id: bulkId } = await findOne('bulk', bulk, 'bulk_id');
    const sources = JSON.stringify({ path: {}, query: {}, body: product('LEFT') });
    await insert('bulk_operation', { bulk_id: bulkId, operation_key: 0, sources });
    await books.change('bulk', bulk, { updated_at: minutesAgo(2) });
    expect((await lookNow(flow)).counts).toMatchObject({ bulks: 1 });
    await waitUntil('it is carried out', async () => (await howMany('bulk', { finished_at: null })) === 0);
  });

  test('a repeat with the same key is the same bulk, also eight at once', async () => {
    const send = () =>
      call('POST', '/rest/all/async/bulk/V1/products', [product('KEYED')], { 'Idempotency-Key': 'import-1' });
    const answers = await eightAtOnce(send);
    const again = await send();
    const uuids = [...answers, again].filter(({ status }) => status === 202).map(({ body }) => body.bulk_uuid);
    expect(new Set(uuids).size).toBe(1);
    expect(again.status).toBe(202);
  });
});
