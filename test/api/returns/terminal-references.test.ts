import { expect, test } from 'vitest';
import { booksOf } from '../../support/books.ts';
import { expectRefused } from '../../support/expect-refused.ts';
import { atOnce } from '../../support/rivals.ts';
import { opensACounter, flow, register } from './settled-returns.ts';

opensACounter();

const { memosOf, find, booksHold } = booksOf(() => flow.api.orm);
const refundRows = (orderId: number) =>
  find('sales_payment_transaction', { order_id: orderId, txn_type: 'refund' }, 'txn_id', 'additional_information');

/** An order of two mugs at 10.00, each with a return of its own. */
async function twoParked(order: object = { method: 'checkmo' }) {
  const sale = await register.sale('10.00', order);
  const [one, other] = [
    await register.returnOne(sale, { refundMethod: 'terminal' }),
    await register.returnOne(sale, { refundMethod: 'terminal' }),
  ];
  return { ...sale, one: one.body.id as number, other: other.body.id as number };
}

const slip = (reference: string, method = 'terminal') => ({ method, reference, rawPayload: `APPROVED ${reference}` });

test.each(['terminal', 'manual_card', 'cash', 'original_payment'])(
  'a refund of the terminal is settled once: the same reference with another return by %s names the memo and its return',
  async (method) => {
    const { orderId, one, other } = await twoParked({});
    const settled = await register.settle(one, slip('R-1'));
    expect(settled.body).toMatchObject({ status: 'closed', base_handback: 10 });
    const { credit_memo_id: memoId, credit_memo_increment_id: memoNumber, increment_id: number } = settled.body;

    expect(await register.settle(other, slip('R-1', method))).toMatchObject({
      status: 400,
      body: {
        message: `The reference "R-1" is that of credit memo ${memoNumber} of return ${number}: a refund of the terminal is settled once.`,
        parameters: {
          outcome: 'reference_in_use',
          reference: 'R-1',
          credit_memo_id: memoId,
          credit_memo_increment_id: memoNumber,
          return_id: one,
          return_increment_id: number,
        },
      },
    });

    expect(await memosOf(orderId, 'transaction_id')).toEqual([{ transaction_id: 'R-1' }]);
    expect(await register.returnOf(other)).toMatchObject({ status: 'awaiting_refund', credit_memo_id: null });
    expect((await register.settle(one, slip('R-1'))).body).toEqual(settled.body);
    expect((await register.settle(other, slip('R-2'))).body).toMatchObject({ status: 'closed', base_handback: 10 });
    expect(await refundRows(orderId)).toEqual([
      { txn_id: 'R-1', additional_information: { raw_payload: 'APPROVED R-1' } },
      { txn_id: 'R-2', additional_information: { raw_payload: 'APPROVED R-2' } },
    ]);
    await booksHold();
  },
);

test('a reference that went beside a gateway’s own is taken too, and so is the gateway’s', async () => {
  const { orderId, one, other } = await twoParked({});
  await register.settle(one, slip('R-3', 'original_payment'));
  const [memo] = await memosOf(orderId, 'transaction_id');
  for (const reference of ['R-3', memo!.transaction_id as string]) {
    const send = () => register.settle(other, slip(reference));
    await expectRefused({ send, status: 400, said: 'reference_in_use' });
  }
  expect(await memosOf(orderId, 'entity_id')).toHaveLength(1);
});

test('a reference of a refund that nobody knows the end of is taken; a refund that failed gives it back', async () => {
  const sale = await register.sale('10.73', {});
  const [one, other] = [
    (await register.returnOne(sale, { refundMethod: 'terminal' })).body.id as number,
    (await register.returnOne(sale, { refundMethod: 'terminal' })).body.id as number,
  ];
  const doubt = await register.settle(one, slip('R-4', 'original_payment'));
  expect(doubt).toMatchObject({ status: 409, body: { parameters: { outcome: 'gateway_uncertain' } } });
  const attemptId: number = doubt.body.parameters.refund_attempt_id;
  expect(await register.settle(other, slip('R-4'))).toMatchObject({
    status: 400,
    body: { parameters: { outcome: 'reference_in_use', refund_attempt_id: attemptId, return_id: one } },
  });
  const word = { resolution: 'not_refunded', staffName: 'Kim', note: 'asked the processor' };
  await register.call('POST', `/V1/pos/rma/refund-attempts/${attemptId}/resolve`, word);
  expect((await register.attempt(attemptId)).state).toBe('failed');
  expect((await register.settle(other, slip('R-4'))).body).toMatchObject({ status: 'closed' });
});

test('eight returns with one reference at once are one memo', async () => {
  const sale = await register.sale('10.00', { method: 'checkmo', lines: [{ sku: 'MUG', qty: 8, price: '10.00' }] });
  const returns: number[] = [];
  for (let one = 0; one < 8; one++)
    returns.push((await register.returnOne(sale, { refundMethod: 'terminal' })).body.id as number);
  const answers = await atOnce(8, (at) => register.settle(returns[at]!, slip('R-5')));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200, 400, 400, 400, 400, 400, 400, 400,
  ]);
  expect(await refundRows(sale.orderId)).toHaveLength(1);
  await booksHold();
});

test('another order may have the same reference: terminals count their slips anew', async () => {
  for (const { one } of [await twoParked(), await twoParked()])
    expect((await register.settle(one, slip('R-6'))).body).toMatchObject({ status: 'closed' });
});
