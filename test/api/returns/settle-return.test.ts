import { expect, test } from 'vitest';
import { createReturn } from '../../../db/returns/create-return.ts';
import { verify } from '../../../books/verify/verify.ts';
import { aCustomerWithCredit } from '../../support/builders/credit.ts';
import { anItem } from '../../support/builders/return.ts';
import { booksOf } from '../../support/books.ts';
import { expectRefused } from '../../support/expect-refused.ts';
import { opensACounter, flow, register, parked } from './settled-returns.ts';

opensACounter();

const { memosOf, find, fork, storyOf, change } = booksOf(() => flow.api.orm);
const refundRows = (orderId: number) =>
  find('sales_payment_transaction', { order_id: orderId, txn_type: 'refund' }, 'txn_id', 'additional_information');

test('goodwill and a fee come in the order’s currency: 2 CAD more and 13.60 CAD less are 1.47 and 10 USD', async () => {
  const sale = await register.sale('100.00', { method: 'checkmo', storeId: 2, currency: 'CAD', rate: '1.36' });
  const { body: rma } = await register.returnOne(sale, { refundMethod: 'terminal' });
  await register.settle(rma.id, { method: 'terminal', adjustmentPositive: 2, adjustmentNegative: '13.60' });

  expect(
    await memosOf(
      sale.orderId,
      'adjustment_positive',
      'base_adjustment_positive',
      'adjustment_negative',
      'base_adjustment_negative',
    ),
  ).toEqual([
    {
      adjustment_positive: '2.0000',
      base_adjustment_positive: '1.4700',
      adjustment_negative: '13.6000',
      base_adjustment_negative: '10.0000',
    },
  ]);
});

test('a reference writes a refund row with what the terminal printed; the answer has all of the settlement', async () => {
  const { rmaId, orderId } = await parked();

  const { status, body } = await register.settle(rmaId, {
    method: 'terminal',
    reference: 'T-1',
    rawPayload: 'APPROVED 11.50',
    adjustmentPositive: 2,
    adjustmentNegative: '0.50',
    shippingAmount: 0,
    expectedLegs: [],
  });

  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: rmaId,
    status: 'closed',
    refund_method: 'terminal',
    credit_memo_id: expect.any(Number),
    credit_memo_increment_id: expect.any(String),
    refund_legs: [],
    base_refund_total: 11.5,
    base_handback: 11.5,
    refund_difference: null,
  });
  expect(body).not.toHaveProperty('refund_attempt_id');
  expect(await refundRows(orderId)).toEqual([
    { txn_id: 'T-1', additional_information: { raw_payload: 'APPROVED 11.50' } },
  ]);
});

test('a reference of the register is stored beside the gateway’s own, with the terminal’s output', async () => {
  const { rmaId, orderId } = await parked({});

  const { body } = await register.settle(rmaId, {
    method: 'original_payment',
    reference: 'T-2',
    rawPayload: 'APPROVED 10.00',
  });

  expect(body).toMatchObject({ status: 'closed', refund_attempt_state: 'booked' });
  const [memo] = await memosOf(orderId, 'transaction_id');
  expect(memo!['transaction_id']).not.toBe('T-2');
  expect(await refundRows(orderId)).toEqual(
    expect.arrayContaining([
      { txn_id: memo!['transaction_id'], additional_information: {} },
      { txn_id: 'T-2', additional_information: { raw_payload: 'APPROVED 10.00' } },
    ]),
  );
});

test('a reference of a refund that is all credit is kept as any other', async () => {
  const customerId = await aCustomerWithCredit(flow.api.orm, '20.00');
  const { rmaId, orderId } = await parked({ customerId, credits: [{ credit_type: 'store_credit', amount: 20 }] });

  const { body } = await register.settle(rmaId, {
    method: 'original_payment',
    reference: 'T-3',
    rawPayload: 'CREDIT 10.00',
  });

  expect(body).toMatchObject({ status: 'closed', base_handback: 0 });
  expect(await refundRows(orderId)).toEqual([
    { txn_id: 'T-3', additional_information: { raw_payload: 'CREDIT 10.00' } },
  ]);
});

test.each([undefined, ''])('a reference of %j writes no refund row, whatever was printed', async (reference) => {
  const { rmaId, orderId } = await parked();
  const settled = await register.settle(rmaId, { method: 'cash', reference, rawPayload: 'APPROVED 10.00' });
  expect(settled.body).toMatchObject({ status: 'closed', refund_method: 'cash' });
  expect(await refundRows(orderId)).toEqual([]);
});

test('a card refunded by hand at the terminal is shown as the terminal', async () => {
  const { rmaId } = await parked();
  const settled = await register.settle(rmaId, { method: 'manual_card', reference: 'M-1' });
  expect(settled.body).toMatchObject({ status: 'closed', refund_method: 'terminal' });
  expect((await register.settle(rmaId, { method: 'cash' })).body).toEqual(settled.body);
});

test('a fee above the refund is refused either way and noted once in both histories; without it the return settles', async () => {
  const { rmaId, orderId } = await parked({});

  for (const method of ['cash', 'original_payment']) {
    expect((await register.settle(rmaId, { method, adjustmentNegative: 10.01 })).status).toBe(400);
  }

  const held = await register.returnOf(rmaId);
  expect(held).toMatchObject({ status: 'awaiting_refund', refund_method: 'terminal', credit_memo_id: null });
  expect(held).not.toHaveProperty('refund_attempt_id');
  expect(held.comments.filter(({ comment }: { comment: string }) => /^Not settled: /.test(comment))).toHaveLength(1);
  expect((await storyOf(orderId)).filter((comment) => comment.includes('was not settled'))).toHaveLength(1);
  expect(await register.memosOf(orderId)).toEqual([]);
  expect((await register.settle(rmaId, { method: 'cash' })).body).toMatchObject({ status: 'closed' });
});

test('a return that cannot be finished is not settled: 409 with its id, and nothing is booked', async () => {
  const sale = await register.sale('10.00', { method: 'checkmo' });
  await change('pos_location', { location_id: flow.shop.locationId }, { damaged_stock_source_code: null });
  const held = await register.returnOne(
    sale,
    { refundMethod: 'cash', posSaleId: `held-${sale.orderId}` },
    { inspected_condition: 'damaged' },
  );
  expect(held.status).toBe(400);
  expect(held.body.message).toMatch(/no source for damaged goods, so "MUG"/);
  const rmaId: number = held.body.parameters.return_id;

  const early = await register.settle(rmaId, { method: 'cash' });

  expect(early).toMatchObject({
    status: 409,
    body: { parameters: { outcome: 'return_not_ready', return_id: rmaId } },
  });
  expect(await register.returnOf(rmaId)).toMatchObject({ status: 'pending', ready: false, credit_memo_id: null });
  expect(await register.memosOf(sale.orderId)).toEqual([]);
  const again = await register.returnOne(sale, { refundMethod: 'cash', posSaleId: `held-${sale.orderId}` });
  expect(again).toMatchObject({
    status: 409,
    body: {
      message: expect.stringMatching(/still being created.*no source for damaged goods/),
      parameters: { outcome: 'sale_return_being_created', return_id: rmaId },
    },
  });
  await change('pos_location', { location_id: flow.shop.locationId }, { damaged_stock_source_code: 'damaged' });
  expect((await register.settle(rmaId, { method: 'cash' })).body).toMatchObject({ status: 'closed', ready: true });
});

test('a return whose source is gone is not settled, can be closed, and its goods come back another day', async () => {
  const sale = await register.sale('10.00', { method: 'checkmo', lines: [{ sku: 'MUG', qty: 1, price: '10.00' }] });
  const { returnId } = await createReturn(fork(), {
    orderId: sale.orderId,
    customerId: null,
    locationId: flow.shop.locationId,
    items: [anItem(sale.itemId)],
    comment: null,
    isAutoApproved: true,
    refundMethod: 'cash',
    posSaleId: `gone-${sale.orderId}`,
  });
  await change('sale_return_item', { return_id: returnId }, { target_source_code: 'gone' });

  const early = await register.settle(returnId, { method: 'cash' });

  expect(early).toMatchObject({
    status: 409,
    body: { parameters: { outcome: 'return_not_ready', return_id: returnId } },
  });
  expect((await register.returnOf(returnId)).comments).toMatchObject([
    { comment: 'Not ready yet: Source with code "gone" does not exist.' },
  ]);
  expect(await register.call('POST', `/V1/pos/rma/${returnId}/close`, {})).toMatchObject({
    status: 200,
    body: { status: 'closed' },
  });
  expect((await register.returnOne(sale, { refundMethod: 'cash' })).status).toBe(200);
});

test('after all of that the books balance', async () => {
  expect(await verify(fork())).toEqual([]);
});

test('what another refund took is not given back again', async () => {
  const { rmaId, orderId } = await parked();
  expect((await register.call('POST', `/V1/order/${orderId}/refund`, {})).status).toBe(200);
  const send = () => register.settle(rmaId, { method: 'cash' });
  await expectRefused({ send, status: 400, said: 'nothing_left_to_refund' });
  expect(await memosOf(orderId, 'entity_id')).toHaveLength(1);
});
