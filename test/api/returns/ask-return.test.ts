import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import type { Workflows } from '../../../providers/temporal/workflows.ts';
import { openProcessOfReturn } from '../../../db/process/open-process-of-return.ts';
import { closeReturn } from '../../../db/returns/close-return.ts';
import { createReturn } from '../../../db/returns/create-return.ts';
import { PosError, unavailable } from '../../../domain/errors.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { anOrder } from '../../support/builders/order.ts';
import { anItem, aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';

/** What a register hears when the workflow is late or away. */
let api: TestApi;
let returnId: number;
let answer: (request: { noteId: number | null }) => Promise<unknown>;
const { find, fork, change } = booksOf(() => api.orm);

const asked: unknown[] = [];

const workflows: Workflows = {
  async ask(question) {
    asked.push(question.request);
    await answer({ noteId: Reflect.get(Object(question.request), 'noteId') as number | null });
    throw new Error('the test answers by throwing');
  },
  signal: () => Promise.resolve(),
  start: () => Promise.resolve(),
  refuseWhileAway: async () => undefined,
  isReachable: () => Promise.resolve(true),
};

const late = () => new PosError({ status: 504, message: 'The work is still going on.' });
const isReady = (isSo: boolean) => change('sale_return', { return_id: returnId }, { is_ready: isSo });
const notes = () => find('sale_return_note', { return_id: returnId }, 'comment', 'author');
const close = () =>
  api.call('POST', `/V1/pos/rma/${returnId}/close`, { token: api.tokens.register, body: { comment: 'Ann kept it' } });

let shop: Awaited<ReturnType<typeof aShop>>;
beforeAll(async () => {
  api = await testApi({ workflows });
  shop = await aShop(fork());
});
beforeEach(async () => {
  asked.length = 0;
  const order = await anOrder(fork());
  ({ returnId } = await createReturn(api.orm.em, {
    orderId: order.orderId,
    customerId: null,
    locationId: shop.locationId,
    items: [anItem(order.itemIds[0]!)],
    comment: null,
    isAutoApproved: false,
    refundMethod: null,
    posSaleId: null,
  }));
  // Something is under way that the workflow has to finish first.
  await isReady(false);
});
afterAll(() => api.close());

test('no answer in time, but the row shows it done: answered from the row', async () => {
  answer = async ({ noteId }) => {
    await isReady(true);
    await closeReturn(api.orm.em, { returnId, noteId });
    throw late();
  };

  const { status, body } = await close();

  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'closed', comments: [{}, { comment: 'Ann kept it' }] });
  expect(asked).toEqual([{ noteId: expect.any(Number) }]);
  expect(JSON.stringify(asked)).not.toContain('Ann');
});

test('no answer in time and nothing done yet: 504, and the words wait for the work that may still come', async () => {
  answer = () => Promise.reject(late());

  expect((await close()).status).toBe(504);
  expect(await notes()).toMatchObject([{ comment: 'Ann kept it' }]);
});

test('workflows out of reach: 503, and the return is unchanged', async () => {
  answer = () => Promise.reject(unavailable('away'));

  expect((await close()).status).toBe(503);
  const { body } = await api.call('GET', `/V1/pos/rma/${returnId}`, { token: api.tokens.register });
  expect(body).toMatchObject({ status: 'pending', comments: [] });
});

test('a refusal leaves no words behind', async () => {
  answer = () => Promise.reject(new PosError({ status: 409, message: 'not now' }));

  expect((await close()).status).toBe(409);
  expect(await notes()).toEqual([]);
});

test('a return of which nothing is under way is changed without a workflow', async () => {
  await isReady(true);

  expect(await close()).toMatchObject({
    status: 200,
    body: { status: 'closed', comments: [{}, { comment: 'Ann kept it' }] },
  });
  expect(await notes()).toEqual([]);
  expect(asked).toEqual([]);
});

test('what turns out to be under way after all is waited for by the workflow', async () => {
  const attempt = await aRefundAttempt(api.orm, { locationId: shop.locationId, state: 'uncertain' });
  ({ returnId } = attempt);
  answer = () => Promise.reject(new PosError({ status: 409, message: 'Nobody knows yet.' }));

  expect(await close()).toMatchObject({ status: 409, body: { message: 'Nobody knows yet.' } });
  expect(asked).toHaveLength(1);
});

test('a return that another call is taking to its end is left to the workflow, which has that call first', async () => {
  await isReady(true);
  await openProcessOfReturn(api.orm.em, {
    returnId,
    requestKey: randomUUID(),
    resolution: 'refund',
    isOnline: false,
    author: 'Ann',
    canRefundThrough: () => false,
    storeCreditIn: undefined,
  });
  answer = () => Promise.reject(late());

  expect((await close()).status).toBe(504);
  expect(asked).toHaveLength(1);
  const { body } = await api.call('GET', `/V1/pos/rma/${returnId}`, { token: api.tokens.register });
  expect(body).toMatchObject({ status: 'pending' });
});

test('a return that is over is answered without a workflow', async () => {
  await isReady(true);
  await closeReturn(api.orm.em, { returnId, noteId: null });

  expect(await close()).toMatchObject({ status: 200, body: { status: 'closed' } });
  expect(asked).toEqual([]);
});
