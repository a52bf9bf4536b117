import { describe, expect, test } from '@jest/globals';
import { explainOrder } from '../../../books/explain/explain-order.ts';
import { explainReturn } from '../../../books/explain/explain-refund.ts';
import { verify } from '../../../books/verify/verify.ts';
import { concludeCreditRefund } from '../../../db/credits/reserve-credit-refund.ts';
import { promisedCredit } from '../../../db/ops/promised-credit.ts';
import { readFigures } from '../../../db/ops/read-figures.ts';
import { bookSettlement } from '../../../db/returns/settle-return.ts';
import { money } from '../../../domain/money.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { createCredits } from '../../../providers/credits/credits.ts';
import { isOwnCredit, refundToOwnCredit } from '../../../providers/credits/place-with-credit.ts';
import { booksOf } from '../../support/books.ts';
import { reserveStoreCredit } from '../../support/builders/credit.ts';
import type { WantedOrder } from '../../support/builders/order.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { aParkedReturn, andTheOther, locationId, opensAShopWithCredit, orm } from './orders-on-credit.ts';

describe('store credit that a settled return promised', () => {
  opensAShopWithCredit();
  const { fork, write } = booksOf(() => orm);

  const settle = (returnId: number, method: 'store_credit' | 'cash' = 'store_credit') =>
    bookSettlement(fork(), { returnId, method, options: plainSettlement, requestId: `r-${returnId}` });
  const listed = async (orderId: number) =>
    (await promisedCredit(fork(), { locationIds: null, most: 100 })).filter((row) => row.orderId === orderId);
  async function aSettledReturn(order: WantedOrder = {}) {
    const customerId = await aCustomer(fork());
    const rma = await aParkedReturn({ customerId, ...order }, 'store_credit');
    await settle(rma.returnId);
    return { customerId, ...rma };
  }
  async function issue(orderId: number, worth: string) {
    const provider = createCredits({ orm, service: undefined }).named('store_credit');
    if (!provider || !isOwnCredit(provider)) throw new Error('there is no wallet');
    await refundToOwnCredit(fork(), {
      provider,
      actor: {},
      wanted: {
        ...{ orderId, kind: 'store_credit', providerCode: 'store_credit', baseCurrencyCode: 'USD', websiteId: 1 },
        ...{ customerId: null, code: null, amount: money(worth), reason: 'a return', requestKey: null },
      },
    });
  }

  test('is listed on the page, by the metric and by explain until it is issued, in parts too', async () => {
    const { orderId, returnId } = await aSettledReturn();
    expect(await listed(orderId)).toMatchObject([{ amount: money('54'), currency: 'USD' }]);
    expect((await readFigures(fork())).promised).toContainEqual(
      expect.objectContaining({ currency: 'USD', sum: 54, count: 1 }),
    );
    const request = `pos/credits/refund {"orderId":"${orderId}","creditType":"store_credit","provider":"","amount":54}`;
    expect((await explainOrder(fork(), String(orderId))).next.join()).toContain(request);
    expect((await explainReturn(fork(), String(returnId))).next.join()).toContain(request);

    await issue(orderId, '50');
    expect(await listed(orderId)).toMatchObject([{ amount: money('4') }]);
    const { refundId } = await reserveStoreCredit(orm, { orderId, amount: money('4') });
    expect(await listed(orderId)).toEqual([]);
    await concludeCreditRefund(fork(), { refundId, state: 'failed', message: 'no' });
    expect(await listed(orderId)).toMatchObject([{ amount: money('4') }]);
    await issue(orderId, '4');
    expect(await listed(orderId)).toEqual([]);
    expect((await explainOrder(fork(), String(orderId))).next.join()).not.toContain('credits/refund');
  });

  test('stays listed in the order’s currency: 100 JPY issued for 15,000 leave 14,900', async () => {
    const { orderId } = await aSettledReturn({
      ...{ currency: 'JPY', rate: '150', step: 10_000 },
      lines: [{ sku: 'MUG', qty: 2, price: '100' }],
    });
    expect(await listed(orderId)).toMatchObject([{ amount: money('15000'), currency: 'JPY' }]);
    await issue(orderId, '100');
    expect(await listed(orderId)).toMatchObject([{ amount: money('14900'), currency: 'JPY' }]);
    await issue(orderId, '14900');
    expect(await listed(orderId)).toEqual([]);
  });

  test('is a finding of the ledger checks after an hour, not before', async () => {
    const { orderId } = await aSettledReturn();
    expect(await verify(fork())).toEqual([]);
    await write(`update store_credit_promise set since = now() - interval '61 minutes' where order_id = ?`, orderId);
    expect((await verify(fork())).map(({ id }) => id)).toEqual(['L-09']);
    await issue(orderId, '54');
    expect(await verify(fork())).toEqual([]);
  });

  test('counts every return of the order, and none that was settled in cash', async () => {
    const rma = await aSettledReturn();
    await settle(await andTheOther(rma, 'store_credit'));
    expect(await listed(rma.orderId)).toMatchObject([{ amount: money('108') }]);
    await issue(rma.orderId, '108');
    const inCash = await aParkedReturn({}, 'cash');
    await settle(inCash.returnId, 'cash');
    expect(await listed(inCash.orderId)).toEqual([]);
  });

  test('eight settles at once and eight issues at once leave nothing listed twice', async () => {
    const customerId = await aCustomer(fork());
    const rma = await aParkedReturn({ customerId }, 'store_credit');
    await eightAtOnce(() => settle(rma.returnId).catch(() => undefined));
    expect(await listed(rma.orderId)).toMatchObject([{ amount: money('54') }]);
    await eightAtOnce(() => issue(rma.orderId, '54').catch(() => undefined));
    expect(await listed(rma.orderId)).toEqual([]);
  });

  test('is listed for the store where the goods came back only', async () => {
    const { orderId } = await aSettledReturn();
    const seenBy = async (locationIds: number[]) =>
      (await promisedCredit(fork(), { locationIds, most: 100 })).map((row) => row.orderId);
    expect(await seenBy([locationId])).toContain(orderId);
    expect(await seenBy([locationId + 1])).toEqual([]);
    await issue(orderId, '54');
  });
});
