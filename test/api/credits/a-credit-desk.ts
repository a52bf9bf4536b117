import { afterAll, beforeAll, expect } from '@jest/globals';
import { toWire } from '../../../domain/money.ts';
import { findBalance } from '../../../db/store-credit/read-balance.ts';
import { verify } from '../../../books/verify/verify.ts';
import { startCreditSimulator, type CreditSimulator } from '../../../local/simulators/app.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { anOrder, type WantedOrder } from '../../support/builders/order.ts';
import { pointsOn } from '../../support/builders/points.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';

export let api: TestApi;
export let outside: CreditSimulator;

/** A shop beside a provider of credit; its books of credit hold at the end. */
export function opensACreditDesk(): void {
  beforeAll(async () => {
    outside = await startCreditSimulator();
    api = await testApi({ settings: { CREDIT_SERVICE_URL: outside.url }, expectsFaults: true });
    await aShop(fork());
    await pointsOn(fork());
  });
  afterAll(async () => {
    await api.close();
    await outside.stop();
  });
}

const { creditRefundsOf, fork } = booksOf(() => api.orm);
export const refund = (body: unknown, requestId?: string) =>
  api.call('POST', '/V1/pos/credits/refund', {
    token: api.tokens.register,
    body,
    ...(requestId === undefined ? {} : { headers: { 'x-request-id': requestId } }),
  });
export const asked = (orderId: unknown, more: object = {}) => ({
  orderId: String(orderId),
  creditType: 'store_credit',
  provider: '',
  amount: 10,
  reason: 'a return',
  code: null,
  ...more,
});
/** Two mugs at 50 with 8 tax, of which one came back: 54 refunded. */
export const aRefundedSale = async (wanted: WantedOrder = {}) => {
  const customerId = await aCustomer(fork());
  const sale = await anOrder(fork(), { customerId, ...wanted });
  await refundPieces(fork(), sale, 1);
  return { customerId, orderId: sale.orderId };
};
export const walletOf = async (customerId: number) => toWire((await findBalance(fork(), customerId, 1)).amount);
export const refundsOf = (orderId: number) => creditRefundsOf(orderId, 'state', 'amount');
export const booksHold = async () =>
  expect(
    (await verify(fork(), { lookAgainAfterMs: 1 })).filter(({ id }) => /^(?:I-13|I-2[234]|[BKL]-)/.test(id)),
  ).toEqual([]);
