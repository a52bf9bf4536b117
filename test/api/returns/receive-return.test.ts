import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startReturnsSimulator, type ReturnsSimulator } from '../../../local/returns-simulator/server.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aRequestedReturn, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';

/** A warehouse runs the returns; among its conditions is "As new" (`N`). */
let warehouse: ReturnsSimulator;
let api: TestApi;
let locationId: number;
let returnId: number;
let itemId: number;
const { itemsOf, fork, change, find } = booksOf(() => api.orm);

beforeAll(async () => {
  warehouse = await startReturnsSimulator();
  api = await testApi({ settings: { RETURNS_SERVICE_URL: warehouse.url, RETURNS_TIMEOUT_SECONDS: '15' } });
  ({ locationId } = await aShop(fork()));
});
afterAll(async () => {
  await api.close();
  await warehouse.stop().catch(() => undefined);
});
beforeEach(async () => {
  warehouse.asked.length = 0;
  ({ returnId } = await aRequestedReturn(api.orm));
  await isTheWarehouses();
});

/** Approved, and the warehouse's to judge. */
async function isTheWarehouses(): Promise<void> {
  await change('sale_return', { return_id: returnId }, { status: 'approved', provider_code: 'warehouse' });
  const [item] = await itemsOf(returnId, 'entity_id');
  itemId = item!.entity_id;
}
const nothingIsTakenIn = async () =>
  expect(await find('sale_return', { return_id: returnId }, 'status')).toEqual([{ status: 'approved' }]);
const receive = (condition: string) =>
  api.call('POST', `/V1/pos/rma/${returnId}/receive`, {
    token: api.tokens.register,
    body: { itemsJson: JSON.stringify([{ rma_item_id: itemId, condition }]), locationId },
  });

test.each(['As new', 'N', ' N '])('the condition "%s" of the provider is kept as its word', async (condition) => {
  const { status, body } = await receive(condition);

  expect({ status, body }).toMatchObject({
    status: 200,
    body: { status: 'items_received', items: [{ condition: 'As new' }] },
  });
});

test('the provider is asked for the store the goods were sold in, whichever the request came through', async () => {
  const order = { storeId: 2, currency: 'CAD', rate: '1.3600' };
  ({ returnId } = await aReturn(api.orm, { order, locationId: null, isAutoApproved: false, refundMethod: null }));
  await isTheWarehouses();
  const options = vi.spyOn(api.providers.returns.byCode('warehouse')!, 'options');

  expect((await receive('As new')).status).toBe(200);
  expect(options.mock.calls).toEqual([[2]]);
  options.mockRestore();
});

test('our own words need no provider', async () => {
  expect((await receive('damaged')).body).toMatchObject({ status: 'items_received' });
  expect(await itemsOf(returnId, 'inspected_condition')).toEqual([{ inspected_condition: 'damaged' }]);
  expect(warehouse.asked).toEqual([]);
});

test('a word that the return’s own provider does not offer is refused', async () => {
  expect(await receive('eaten')).toMatchObject({ status: 400, body: { parameters: { value: 'eaten' } } });
  await change('sale_return', { return_id: returnId }, { provider_code: 'builtin' });
  expect((await receive('As new')).status).toBe(400);
  await nothingIsTakenIn();
});

test('a provider that cannot be asked is 503, and nothing is taken in', async () => {
  await warehouse.stop();
  expect((await receive('As new')).status).toBe(503);
  await nothingIsTakenIn();
});
