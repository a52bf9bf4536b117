import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reserveCreditRefund } from '../../../db/credits/reserve-credit-refund.ts';
import { findBalance } from '../../../db/store-credit/wallet.repository.ts';
import { findPoints } from '../../../db/reward-points/read-points.ts';
import { money } from '../../../domain/money/amount.ts';
import { anOrder } from '../../support/builders/order.ts';
import { pointsOn } from '../../support/builders/points.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { recordHistory } from '../../support/record-history.ts';

let flow: Flow;
beforeAll(async () => {
  flow = await aFlow();
  await pointsOn(fork());
});
afterAll(() => flow.close());

const { fork, write } = booksOf(() => flow.api.orm);

test('one sweep books points, and gives what a crash left reserved', async () => {
  const customerId = await aCustomer(fork());
  const sale = await anOrder(fork(), { customerId });
  await refundPieces(fork(), sale, 1);
  await reserveCreditRefund(fork(), {
    orderId: sale.orderId,
    kind: 'store_credit',
    providerCode: 'store_credit',
    baseCurrencyCode: 'USD',
    websiteId: 1,
    customerId,
    code: null,
    amount: money('10'),
    reason: 'a return',
    requestKey: null,
  });
  await write(`update credit_refund set created_at = now() - interval '1 minute'`);
  const workflowId = `sweep-of-${flow.taskQueue}`;

  await flow.client.workflow.execute('repairLimbo', { taskQueue: flow.taskQueue, workflowId, args: [] });

  expect(await findPoints(fork(), customerId, 1)).toBe(50);
  expect((await findBalance(fork(), customerId, 1)).amount).toBe(money('10.0000'));
  await recordHistory(flow.client, workflowId, 'repair-limbo-credit');
});
