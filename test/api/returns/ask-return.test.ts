import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openProcessOfReturn } from '../../../db/process/open-process-of-return.ts';
import { closeReturn } from '../../../db/returns/close-return.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aRefundAttempt, aRequestedReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { waiting, whileHeld } from '../../support/books/held.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** What a register hears when whoever carries out its request is late or away: the truth of the row, in good time. */
let api: TestApi;
let locationId: number;
let returnId: number;
let orderId: number;
const books = booksOf(() => api.orm);
const { find, fork, memosOf } = books;

beforeAll(async () => {
  api = await testApi();
  ({ locationId } = await aShop(fork()));
});
beforeEach(async () => {
  ({ returnId, orderId } = await aRequestedReturn(api.orm));
});
afterAll(() => api.close());

const call = (method: string, path = '', body?: object) =>
  api.call(method, `/V1/pos/rma/${returnId}${path}`, { token: api.tokens.register, ...(body ? { body } : {}) });
const close = () => call('POST', '/close', { comment: 'Ann kept it' });
const untouched = { status: 200, body: { status: 'pending', comments: [] } };

test('no answer in time, but the row shows it done: answered from the row', async () => {
  const answer = await api.without('a worker', async () => {
    const asked = close();
    await closeReturn(api.orm.em, { returnId, comment: 'Ann kept it' });
    return asked;
  });

  expect(answer).toMatchObject({
    status: 200,
    body: { status: 'closed', comments: [{}, { comment: 'Ann kept it' }] },
  });
});

test('nobody there to do it: 503, nothing is written, and nothing comes of it later', async () => {
  const answer = await api.without('a worker', close);

  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).not.toBeNull();
  expect(await call('GET')).toMatchObject(untouched);
  // The workflow has the late request first: it came before this one.
  expect(await call('PUT', '/status', { status: 'approved' })).toMatchObject({
    status: 200,
    body: { status: 'approved', comments: [] },
  });
});

test('the record is held by somebody else for too long: 503, and nothing comes of it later', async () => {
  const answer = await whileHeld(books, 'sale_return', { return_id: returnId }, close);

  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).not.toBeNull();
  await waitUntil('nobody waits for the return', async () => (await waiting(books)) === 0);
  expect(await call('PUT', '/status', { status: 'approved' })).toMatchObject({
    status: 200,
    body: { status: 'approved', comments: [] },
  });
});

test('Temporal out of reach: 503, and the return is unchanged', async () => {
  const answer = await api.without('Temporal', close);

  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).not.toBeNull();
  expect(await call('GET')).toMatchObject(untouched);
  expect(await find('sale_return_operation', { return_id: returnId })).toEqual([]);
});

test('a refusal leaves no words behind', async () => {
  const attempt = await aRefundAttempt(api.orm, { locationId, state: 'uncertain' });
  ({ returnId } = attempt);
  const before = await call('GET');

  expect(await close()).toMatchObject({ status: 409, body: { parameters: { outcome: 'gateway_uncertain' } } });
  expect((await call('GET')).body).toEqual(before.body);
});

test('a return is changed by its workflow, with the words of the person who asked', async () => {
  expect(await close()).toMatchObject({
    status: 200,
    body: { status: 'closed', comments: [{}, { comment: 'Ann kept it' }] },
  });
  expect(await find('sale_return_operation', { return_id: returnId }, 'refund_attempt_id')).toEqual([
    { refund_attempt_id: null },
  ]);
});

test('a return that another call is taking to its end: the workflow has that call first', async () => {
  await openProcessOfReturn(api.orm.em, {
    returnId,
    requestKey: randomUUID(),
    resolution: 'refund',
    isOnline: false,
    author: 'Ann',
    canRefundThrough: () => false,
    storeCreditIn: undefined,
  });

  expect(await close()).toMatchObject({ status: 200, body: { status: 'closed', base_refund_total: 54 } });
  expect(await memosOf(orderId)).toHaveLength(1);
});

test('a return that is over is answered without a workflow', async () => {
  await closeReturn(api.orm.em, { returnId });

  expect(await api.without('Temporal', close)).toMatchObject({ status: 200, body: { status: 'closed' } });
});
