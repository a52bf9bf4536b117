import { afterAll, beforeAll } from '@jest/globals';
import { testApi, type TestApi } from '../../../support/api.ts';
import { anOrder, type WantedOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';

export let api: TestApi;

/** A shop whose order book is empty. */
export function opensAShop(): void {
  beforeAll(async () => {
    api = await testApi();
    await aShop(fork());
  });
  afterAll(async () => {
    await api.close();
  });
}

const { fork } = booksOf(() => api.orm);

export type Sale = Awaited<ReturnType<typeof anOrder>>;

export const sale = (wanted: WantedOrder = {}) => anOrder(fork(), wanted);
export const call = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  api.call('POST', path, { token: api.tokens.register, body, headers });
export const refund = (
  creditmemo: object,
  more: object = { offlineRequested: true },
  headers: Record<string, string> = {},
) => call('/V1/creditmemo/refund', { creditmemo, ...more }, headers);
export const orderOf = async ({ orderId }: Sale) =>
  (await api.call('GET', `/V1/orders/${orderId}`, { token: api.tokens.register })).body;

/** One mug of two at 50 with 8 tax. */
export const oneMug = ({ orderId, itemIds }: Sale) => ({
  order_id: orderId,
  subtotal: 50,
  tax_amount: 4,
  grand_total: 54,
  items: [{ order_item_id: itemIds[0], qty: 1, row_total: 50, tax_amount: 4 }],
});
export const bothMugs = ({ orderId, itemIds }: Sale) => ({
  order_id: orderId,
  subtotal: 100,
  tax_amount: 8,
  grand_total: 108,
  base_grand_total: 108,
  items: [{ orderItemId: itemIds[0], qty: 2, rowTotal: 100, taxAmount: 8 }],
});
