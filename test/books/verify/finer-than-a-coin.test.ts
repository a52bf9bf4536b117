import { beforeAll, describe, expect, test } from '@jest/globals';
import { verify, type GatewayLedger } from '../../../books/verify/verify.ts';
import { refundOrder } from '../../../db/platform/credit-memos/refund-invoice.ts';
import { claimRefundCall } from '../../../db/refunds/refund-intent.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { zero, pieces } from '../../../domain/money.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aRefundUnderWay } from '../../support/builders/refund-under-way.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer, anEntry } from '../../support/builders/wallet.ts';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { booksOf } from '../../support/books.ts';
import { useDatabase } from '../../support/fixtures.ts';

const orm = useDatabase();
let locationId: number;
beforeAll(async () => {
  ({ locationId } = await aShop(fork()));
});

const { fork, theOrder, findOne } = booksOf(() => orm);

/** Two mugs at 5 with an eighth of tax, 10.125 in all: half a cent finer than a coin. */
const aSaleOfAnEighth = (more: object = {}) =>
  anOrder(fork(), { lines: [{ sku: 'MUG', qty: 2, price: '5', tax: '0.125' }], step: 1, ...more });

const broken = async (ledger?: GatewayLedger) =>
  (await verify(fork(), { lookAgainAfterMs: 1, ...(ledger ? { readLedger: async () => ledger } : {}) })).map(
    ({ id }) => id,
  );

describe('a sale of 10.125, whose coins are 10.13', () => {
  test('given back by its gateway breaks no rule, neither under way nor booked, nor beside the gateway’s books', async () => {
    const { orderId, itemIds } = await aSaleOfAnEighth({ method: 'provider_a', lastTransId: 'pay_1' });
    const refund = { orderId, itemId: itemIds[0]!, locationId, qty: 2, state: 'started' } as const;
    const attemptId = await aRefundUnderWay(orm, refund);
    expect(await broken()).toEqual([]);

    await claimRefundCall(fork(), { attemptId, timeoutSeconds: 20 });
    const finding = { evidence: 'refunded', gatewayReference: 're_1' } as const;
    await recordFinding(orm.em, { attemptId, finding, now: new Date() });
    expect(await theOrder(orderId, 'total_paid', 'total_refunded')).toEqual({
      total_paid: '10.1250',
      total_refunded: '10.1300',
    });
    const attempt = await findOne('refund_attempt', { attempt_id: attemptId });
    const gaveBack = (amount: string): GatewayLedger => ({
      refunds: [
        {
          ...{ idempotencyKey: String(attempt['idempotency_key']), amount, currency: 'USD', state: 'refunded' },
          ...{ capturedAmount: '10.125', paymentId: 'pay_1' },
        },
      ],
      calls: [{ merchantReference: `refund-attempt-${attemptId}` }],
    });
    expect(await broken(gaveBack('10.13'))).toEqual([]);
    expect(await broken(gaveBack('10.14'))).toEqual(['I-10d', 'I-10e', 'I-11']);
  });

  test('given back by hand, and paid in part with store credit that came back, breaks none', async () => {
    const byHand = { adjustmentPositive: zero, adjustmentNegative: zero, returnToStockItemIds: [] };
    const { orderId, itemIds } = await aSaleOfAnEighth({ method: 'cash' });
    await refundOrder(fork(), { ...byHand, orderId, items: [{ orderItemId: itemIds[0]!, qty: pieces(2) }] });

    const customerId = await aCustomer(fork());
    await addEntry(fork(), anEntry(customerId, { amount: '5' }));
    const credits = [{ credit_type: 'store_credit', amount: 5 }];
    const paid = await aSaleOfAnEighth({ method: 'provider_a', lastTransId: 'pay_2', customerId, credits });
    await aRefundUnderWay(orm, {
      ...{ orderId: paid.orderId, itemId: paid.itemIds[0]!, locationId, qty: 2, state: 'started' },
    });
    expect(await broken()).toEqual([]);
  });
});
