import { afterAll, beforeAll, expect, test } from 'vitest';
import { replayHeader } from '../../../api/http/mark-replayed.ts';
import { bookSettlement } from '../../../db/returns/book-settlement.ts';
import { createReturn } from '../../../db/returns/create-return.ts';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { freePort } from '../../../local/free-port.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aCustomerWithCredit } from '../../support/builders/credit.ts';
import { anItem, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { expectRefused } from '../../support/expect-refused.ts';
import { noCredits } from '../../support/fakes.ts';
import { daysAgo } from '../../support/moments.ts';

/** What of collapsed processing needs no workflow: refusals, before anything is written. The rest is a flow. */
let api: TestApi;
let locationId: number;
beforeAll(async () => {
  const nobody = `http://127.0.0.1:${await freePort()}`;
  api = await testApi({
    settings: { RETURNS_SERVICE_URL: nobody, CREDIT_SERVICE_URL: nobody, CREDIT_SERVICE_KIND: 'store_credit' },
  });
  ({ locationId } = await aShop(fork()));
});
afterAll(() => api.close());

const { processesOf, fork, change, remove, configure } = booksOf(() => api.orm);
const call = (path: string, body: unknown) => api.call('POST', path, { token: api.tokens.register, body });
const sale = async (wanted = {}) => {
  const order = await anOrder(fork(), wanted);
  return { orderId: order.orderId, itemId: order.itemIds[0]! };
};
const process = (
  { orderId, itemId }: { orderId: number; itemId: number },
  more: Record<string, unknown> = {},
  row: Record<string, unknown> = {},
) =>
  call('/V1/pos/rma/process', {
    orderId,
    items: JSON.stringify([{ order_item_id: itemId, qty: 1, ...row }]),
    resolution: 'refund',
    isOnline: false,
    ...more,
  });
const aReturnOf = ({ orderId, itemId }: { orderId: number; itemId: number }, customerId: number | null = null) =>
  createReturn(api.orm.em, {
    orderId,
    customerId,
    locationId: null,
    items: [anItem(itemId)],
    comment: null,
    isAutoApproved: false,
    refundMethod: null,
    posSaleId: null,
  });
const unset = (path: string) => remove('config_value', { path });
const runsOf = (orderId: number) => processesOf(orderId, 'process_id');

test('an unknown order is 404, an unknown return too', async () => {
  expect((await process({ orderId: 999_999, itemId: 1 })).status).toBe(404);
  expect((await call('/V1/pos/rma/999999/process', { resolution: 'refund', isOnline: false })).status).toBe(404);
});

test.each([
  ['no resolution', { resolution: undefined }, {}],
  ['an unknown resolution', { resolution: 'repair' }, {}],
  ['no lines', { items: '[]' }, {}],
  ['lines that are no text', { items: [{ order_item_id: 1, qty: 1 }] }, {}],
  ['none of a line', {}, { qty: 0 }],
  ['less than none', {}, { qty: -1 }],
  ['a card number in the comment', { comment: 'card 4111 1111 1111 1111' }, {}],
  ['a card number in a reason', {}, { reason: 'card 4111 1111 1111 1111' }],
  ['a card number in a condition', {}, { condition: 'card 4111 1111 1111 1111' }],
])('%s: 400, and nothing is written', async (_case, more, row) => {
  const one = await sale();
  expect((await process(one, more, row)).status).toBe(400);
  expect(await runsOf(one.orderId)).toEqual([]);
});

test('what may not come back is refused with every parameter', async () => {
  const one = await sale();
  expect((await process(one, {}, { qty: 3 })).body.parameters).toEqual({
    outcome: 'return_not_eligible',
    reason_code: 'quantity',
    period_days: 0,
    order_item_id: one.itemId,
  });
  expect((await process(one, {}, { resolution: 'Teleport' })).body.parameters).toMatchObject({
    outcome: 'return_not_eligible',
    reason_code: 'resolution_unsupported',
  });
  expect(await runsOf(one.orderId)).toEqual([]);
});

test('what a row names does not stretch the time in which money goes back: the run’s own resolution is judged, too', async () => {
  const one = await sale({ shipped: false });
  await change('sales_order', { entity_id: one.orderId }, { created_at: daysAgo(30) });
  const periods = 'vendor_pos_advanced/returns/resolution_periods';
  await configure(periods, 'Refund:14,Exchange:60');
  const { status, body } = await process(one, { resolution: 'refund' }, { resolution: 'Exchange' });
  await unset(periods);
  expect(status).toBe(400);
  expect(body.parameters).toMatchObject({
    outcome: 'return_not_eligible',
    reason_code: 'resolution_not_allowed',
    resolution_id: 'Refund',
  });
  expect(await runsOf(one.orderId)).toEqual([]);
});

test('half of a whole piece is refused in the words of its credit memo, and nothing is written', async () => {
  const one = await sale();
  expect(await process(one, {}, { qty: 0.5 })).toMatchObject({
    status: 400,
    body: { message: 'We found an invalid quantity to refund item "MUG".' },
  });
  expect(await runsOf(one.orderId)).toEqual([]);
});

test('a payment no gateway can give back is refused before goods or money move', async () => {
  const one = await sale({ method: 'checkmo' });
  const { status, body } = await process(one, { isOnline: true });
  expect(status).toBe(400);
  expect(body.parameters).toMatchObject({ outcome: 'refund_from_admin' });
  expect(await runsOf(one.orderId)).toEqual([]);
});

test('only the order’s own customer gets the credit', async () => {
  const one = await sale({ customerId: await aCustomer(fork()) });
  const other = await aCustomer(fork());
  const { status, body } = await process(one, { resolution: 'store_credit', customerId: other });
  expect(status).toBe(400);
  expect(body.message).toContain('another customer');
});

test('store credit for an unknown customer is 404 before goods move, of new goods and of a return', async () => {
  const one = await sale();
  expect(await process(one, { resolution: 'store_credit', customerId: 999_999 })).toMatchObject({
    status: 404,
    body: { parameters: { fieldName: 'customerId', fieldValue: 999_999 } },
  });
  const { returnId } = await aReturnOf(one, 999_999);
  expect((await call(`/V1/pos/rma/${returnId}/process`, { resolution: 'store_credit' })).status).toBe(404);
  expect(await runsOf(one.orderId)).toEqual([]);
});

/** Store credit of new goods, and of a return. */
async function asStoreCredit() {
  const one = await sale({ customerId: await aCustomer(fork()) });
  const { returnId } = await aReturnOf(one);
  const answers = [
    await process(one, { resolution: 'store_credit' }),
    await call(`/V1/pos/rma/${returnId}/process`, { resolution: 'store_credit' }),
  ];
  expect(await runsOf(one.orderId)).toEqual([]);
  return answers;
}

test('store credit that is kept outside is refused before goods move, of new goods and of a return', async () => {
  const enabled = 'vendor_store_credit/general/enabled';
  await configure(enabled, '0');
  for (const { status, body } of await asStoreCredit()) {
    expect(status).toBe(400);
    expect(body).toMatchObject({ message: expect.stringContaining('kept by "%1"'), parameters: ['credit_service'] });
  }
  await unset(enabled);
});

test('store credit in a shop that has none is refused before goods move, of new goods and of a return', async () => {
  const shop = api;
  api = await testApi({ providers: { credits: noCredits } });
  await aShop(fork());
  for (const { body } of await asStoreCredit())
    expect(body).toEqual({ message: 'No provider is installed for credit type %1.', parameters: ['store_credit'] });
  await api.close();
  api = shop;
});

test('a provider that cannot be asked is 503, and nothing is written', async () => {
  const one = await sale();
  const providers = 'vendor_pos_terminal/returns/providers';
  await configure(providers, 'warehouse');
  const token = api.tokens.admin;
  const reads = [`/V1/pos/rma/eligibility/${one.orderId}`, '/V1/pos/rma/options'];
  reads.push('/V1/returnsAttributeMetadata', '/V1/returnsAttributeMetadata/reason');
  const said = 'The returns provider "warehouse" cannot be asked. Try again in a moment.';
  for (const send of [() => process(one), ...reads.map((path) => () => api.call('GET', path, { token }))])
    await expectRefused({ send, status: 503, said });
  expect(await runsOf(one.orderId)).toEqual([]);
  await unset(providers);
});

test('a return that has ended is answered with its result', async () => {
  const one = await sale();
  const { returnId } = await aReturnOf(one);
  await change('sale_return', { return_id: returnId }, { status: 'denied' });
  const { status, body, headers } = await call(`/V1/pos/rma/${returnId}/process`, { resolution: 'refund' });
  expect([status, headers.get(replayHeader)]).toEqual([200, 'true']);
  expect(body).toMatchObject({ success: false, rma_id: returnId, credit_memo_id: null, refund_total: 0 });
  expect(body.error).toContain('denied');
});

test('a return that was settled by its original payment, all of it credit, was no refund through a gateway', async () => {
  const customerId = await aCustomerWithCredit(api.orm, '200');
  const credits = [{ credit_type: 'store_credit', amount: 108 }];
  const { returnId } = await aReturn(api.orm, { locationId, refundMethod: null, order: { customerId, credits } });
  await initialiseReturn(api.orm.em, { returnId, canRefundThrough: () => false });
  const settlement = { returnId, method: 'original_payment', options: plainSettlement, requestId: 'r' } as const;
  await bookSettlement(api.orm.em, settlement);
  const { body } = await call(`/V1/pos/rma/${returnId}/process`, { resolution: 'refund', isOnline: true });
  expect(body).toMatchObject({ success: true, refund_total: 54, is_online_refund: false });
});

test('the register gets all providers, and those of the store', async () => {
  const config = async () => {
    const { body } = await api.call('GET', '/V1/pos/config', { token: api.tokens.register });
    const { rma_providers, has_rma_providers, has_rma_module } = JSON.parse(body);
    return { rma_providers, has_rma_providers, has_rma_module };
  };
  expect(await config()).toEqual({
    has_rma_providers: true,
    has_rma_module: true,
    rma_providers: [
      { key: 'warehouse', code: 'warehouse', enabled: false, label: 'Returns warehouse' },
      { key: 'builtin', code: 'builtin', enabled: true, label: 'Built-in returns' },
    ],
  });
  await configure('vendor_pos_terminal/returns/providers', '');
  expect(await config()).toMatchObject({ has_rma_providers: true, has_rma_module: false });
});
