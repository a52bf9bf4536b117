import { expect, test } from '@jest/globals';
import { booksOf } from '../../support/books.ts';
import { aGiftCard, cardBalance } from '../../support/builders/credit.ts';
import { anOrder } from '../../support/builders/order.ts';
import { daysAgo } from '../../support/moments.ts';
import { api, asked, aRefundedSale, booksHold, opensACreditDesk, refund } from './a-credit-desk.ts';

opensACreditDesk();

const { change } = booksOf(() => api.orm);
const get = (path: string) => api.call('GET', path, { token: api.tokens.register });

test('credits/refund to an expired card renews it', async () => {
  const { orderId } = await aRefundedSale();
  const code = await aGiftCard(api.orm, '5');
  await change('gift_card', { code }, { expires_at: daysAgo(30) });
  expect(await get(`/V1/pos/credits/giftcard/${code}`)).toMatchObject({ body: { is_redeemable: false } });
  expect(await refund(asked(orderId, { creditType: 'gift_card', code }))).toMatchObject({
    body: { success: true, amount_applied: 10, remaining_balance: 15 },
  });
  expect(await get(`/V1/pos/credits/giftcard/${code}`)).toMatchObject({ body: { is_redeemable: true, balance: 15 } });
  await booksHold();
});

test.each([
  ['is disabled', { state: 'disabled' }, 'This gift card is disabled.'],
  ['belongs to another website', {}, 'This gift card is not valid on this website.'],
])('credits/refund to a card that %s answers success false and moves nothing', async (_what, now, sentence) => {
  const { orderId } = await aRefundedSale();
  const code = await aGiftCard(api.orm, '5');
  if (Object.keys(now).length > 0) await change('gift_card', { code }, now);
  else await onAnotherWebsite(code);
  expect(await refund(asked(orderId, { creditType: 'gift_card', code }))).toMatchObject({
    status: 200,
    body: { success: false, amount_applied: 0, error_message: sentence },
  });
  expect(await cardBalance(api.orm, code)).toBe('5.0000');
  // The money is free for another way.
  expect(await refund(asked(orderId, { amount: 54 }))).toMatchObject({ body: { success: true } });
});

const onAnotherWebsite = async (code: string) => {
  const { write } = booksOf(() => api.orm);
  await write(
    `insert into website (website_id, code, name, base_currency_code) values (2, 'other', 'Other', 'USD')
     on conflict do nothing`,
  );
  await write('alter table gift_card disable trigger gift_card_fixed');
  await change('gift_card', { code }, { website_id: 2 });
  await write('alter table gift_card enable trigger gift_card_fixed');
};

test('a preview shows the new card without its code, and a cancelled order lists it with the code', async () => {
  const code = await aGiftCard(api.orm, '40');
  const order = { credits: [{ credit_type: 'gift_card', code, amount: 40 }] };
  const sold = await anOrder(api.orm.em.fork(), order);
  await change('gift_card', { code }, { state: 'disabled' });
  const preview = await api.call('POST', '/V1/pos/refunds/preview', {
    token: api.tokens.register,
    body: { orderId: sold.orderId, items: JSON.stringify([{ order_item_id: sold.itemIds[0], qty: 1 }]) },
  });
  expect(preview).toMatchObject({
    status: 200,
    body: { legs: [{ kind: 'gift_card', direction: 'returned', amount: 20, is_new_card: true, code: null }] },
  });

  const other = await aGiftCard(api.orm, '40');
  const unpaid = await anOrder(api.orm.em.fork(), {
    paid: false,
    shipped: false,
    credits: [{ credit_type: 'gift_card', code: other, amount: 40 }],
  });
  await change('gift_card', { code: other }, { state: 'disabled' });
  const cancel = () => api.call('POST', `/V1/orders/${unpaid.orderId}/cancel`, { token: api.tokens.admin, body: {} });
  expect(await cancel()).toMatchObject({ status: 200, body: true });
  await cancel();
  const listed = await get(`/V1/pos/orders/${unpaid.orderId}/issued-gift-cards`);
  expect(listed.body).toMatchObject([{ issued_amount: 40, balance: 40, credit_memo_id: null, is_disabled: false }]);
  expect(await get(`/V1/pos/credits/giftcard/${listed.body[0].code}`)).toMatchObject({
    body: { balance: 40, is_redeemable: true },
  });
});

test('an order without such cards has an empty list, and an unknown one is 404', async () => {
  const { orderId } = await aRefundedSale();
  expect(await get(`/V1/pos/orders/${orderId}/issued-gift-cards`)).toMatchObject({ status: 200, body: [] });
  expect(await get('/V1/pos/orders/999999/issued-gift-cards')).toMatchObject({ status: 404 });
});
