import { beforeAll, expect, test } from '@jest/globals';
import { bookCreditMemo } from '../../../../db/platform/credit-memos/book-credit-memo.ts';
import { withOrder } from '../../../../db/platform/orders/lock-order.ts';
import { PaymentTransaction } from '../../../../db/platform/orders/order-parts.entity.ts';
import { booksOf } from '../../../support/books.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { aRequest } from '../../../support/builders/refundable-order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { useApi } from '../../../support/fixtures.ts';

const api = useApi();

beforeAll(() => aShop(fork()));

const { fork, findOne } = booksOf(() => api.orm);

const get = (path: string) => api.call('GET', path, { token: api.tokens.register });

/** A card sale whose capture is on record, refunded on a terminal. */
async function aRefundedCardSale() {
  const em = fork();
  const { orderId } = await anOrder(em, { method: 'provider_a', lastTransId: 'pay-9' });
  const { entity_id: paymentId } = await findOne('sales_order_payment', { order_id: orderId }, 'entity_id');
  await em.nativeDelete(PaymentTransaction, { orderId });
  const capture = em.create(PaymentTransaction, { orderId, paymentId, txnId: 'pay-9', txnType: 'capture' });
  await em.flush();
  await withOrder(em, orderId, async (tx, order) => {
    const rawTransaction = { raw_payload: 'APPROVED', tries: [1, 2] };
    const refund = { isOnline: true, movesStock: false, transactionId: 'ref-9', rawTransaction };
    await bookCreditMemo(tx, { order, request: aRequest(), ...refund });
  });
  return { orderId, paymentId, captureId: capture.transactionId };
}

test('a refund hangs below the payment it gives back from', async () => {
  const { orderId, paymentId, captureId } = await aRefundedCardSale();
  const capture = await get(`/V1/transactions/${captureId}`);

  expect(capture.body).toMatchObject({
    transaction_id: captureId,
    order_id: orderId,
    payment_id: paymentId,
    txn_id: 'pay-9',
    txn_type: 'capture',
    parent_txn_id: null,
    additional_information: [],
    child_transactions: [
      {
        parent_id: captureId,
        txn_id: 'ref-9',
        parent_txn_id: 'pay-9',
        txn_type: 'refund',
        is_closed: 1,
        additional_information: ['APPROVED', '[1,2]'],
        child_transactions: [],
      },
    ],
  });
  const filter = 'searchCriteria[filter_groups][0][filters][0]';
  const found = await get(`/V1/transactions?${filter}[field]=order_id&${filter}[value]=${orderId}`);
  expect(found.body).toMatchObject({ total_count: 2, items: [capture.body, capture.body.child_transactions[0]] });
});

test('an unknown transaction is not found', async () => {
  expect((await get('/V1/transactions/987654')).status).toBe(404);
});
