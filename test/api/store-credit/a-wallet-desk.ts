import { afterAll, beforeAll } from '@jest/globals';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer, aSecondWebsite } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';

export let api: TestApi;
let adjuster: string;

/** A shop with an integration that adjusts wallets. */
export function opensAWalletDesk(): void {
  beforeAll(async () => {
    api = await testApi();
    await aShop(fork());
    await aSecondWebsite(fork());
    adjuster = await api.tokenFor('Vendor_StoreCredit::balance_adjust');
  });
  afterAll(() => api.close());
}

const { find, fork } = booksOf(() => api.orm);
export const post = (what: 'credit' | 'debit' | 'adjust', body: unknown, token = adjuster) =>
  api.call('POST', `/V1/vendor-store-credit/${what}`, { token, body });
export const balance = async (customerId: number, websiteId = 1) =>
  (await api.call('GET', `/V1/vendor-store-credit/balance/${customerId}/${websiteId}`, { token: api.tokens.admin }))
    .body.amount;
export const aWalletOf = async (amount: number) => {
  const customerId = await aCustomer(fork());
  await post('credit', { customerId, websiteId: 1, amount, reason: 'start' });
  return customerId;
};
/** Everything the wallets' tables hold. */
export const books = async () => [await find('store_credit_wallet'), await find('store_credit_entry')];
