import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBalance } from '../../../db/store-credit/wallet.repository.ts';
import { findPoints } from '../../../db/reward-points/read-points.ts';
import { money } from '../../../domain/money/amount.ts';
import { creditRefundId } from '../../../workflows/credits/messages.ts';
import { reservedStoreCredit } from '../../support/builders/credit.ts';
import { pointsOn } from '../../support/builders/points.ts';
import { booksOf } from '../../support/books.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { lookNow } from '../../support/housekeeping.ts';

let flow: Flow;
beforeAll(async () => {
  flow = await aFlow();
  await pointsOn(fork());
});
afterAll(() => flow.close());

const { fork } = booksOf(() => flow.api.orm);

test('one look books points, and has given what a crash left reserved', async () => {
  const { customerId, orderId, refundId } = await reservedStoreCredit(flow.api.orm);

  await lookNow(flow);
  const run = flow.client.workflow.getHandle(creditRefundId(orderId, `refund-${refundId}`));

  expect(await run.result()).toBe('booked');
  expect(await findPoints(fork(), customerId, 1)).toBe(50);
  expect((await findBalance(fork(), customerId, 1)).amount).toBe(money('10.0000'));
});
