import { describe, expect, test } from 'vitest';
import { createCreditSpender } from '../../../db/credits/spend-credits.ts';
import { createOrder, type OrderHook } from '../../../db/platform/order-saves/create-order.ts';
import { money } from '../../../domain/money/amount.ts';
import { aCustomerWithCredit, aGiftCard, cardBalance, walletOf } from '../../support/builders/credit.ts';
import { aPostedOrder, type WantedOrder } from '../../support/builders/order.ts';
import { booksOf } from '../../support/books.ts';
import { outcomesAtOnce, eightAtOnce } from '../../support/rivals.ts';
import { opensAShopWithCredit, now, orm, storeCredit } from './paid-by-credit.ts';

opensAShopWithCredit();

const { find } = booksOf(() => orm);

async function place(wanted: WantedOrder, hooks: readonly OrderHook[] = [createCreditSpender()]) {
  return createOrder(orm.em, await aPostedOrder(orm.em, wanted), { hooks, now });
}

const ordersOf = (customerId: number) => find('sales_order', { customer_id: customerId }, 'entity_id');

describe('what cannot be paid is refused with 400, and nothing is written', () => {
  test.each<[string, readonly object[], WantedOrder, RegExp]>([
    [
      'more than the wallet holds',
      [storeCredit('25.01')],
      {},
      /^Not paid with store credit: The balance cannot go below zero/,
    ],
    ['more than the order costs', [storeCredit(20), storeCredit(90)], {}, /^The credits come to %1/],
    [
      'more than the money posted with it leaves',
      [storeCredit(20)],
      { columns: { totalPaid: money('100') } },
      /^The credits come to/,
    ],
    ['an unknown provider', [storeCredit(5, { provider_code: 'acme' })], {}, /^No provider of %1 is known/],
    [
      'an unknown card',
      [{ credit_type: 'gift_card', code: 'NO-SUCH-CARD', amount: 5 }],
      {},
      /^Not paid with a gift card/,
    ],
    [
      'points that are not there',
      [{ credit_type: 'reward_points', points: 500, amount: 5 }],
      {},
      /^Not paid with reward points/,
    ],
    ['a credit that cannot be read', [storeCredit(1e-7)], {}, /^The credits of the order cannot be read/],
    ['an order that is over', [storeCredit(5)], { columns: { state: 'canceled' } }, /is over/],
  ])('%s', async (_case, credits, more, message) => {
    const customerId = await aCustomerWithCredit(orm, '25');
    await expect(place({ customerId, credits, ...more })).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(message),
    });
    expect(await walletOf(orm, customerId)).toBe('25.0000');
    expect(await ordersOf(customerId)).toEqual([]);
  });

  test('a guest has no store credit', async () => {
    await expect(place({ credits: [storeCredit(5)] })).rejects.toMatchObject({ status: 400 });
  });

  test('the second of two credits fails: the first one was not spent either', async () => {
    const customerId = await aCustomerWithCredit(orm, '25');
    const code = await aGiftCard(orm, '10');
    await expect(
      place({ customerId, credits: [{ credit_type: 'gift_card', code, amount: 10 }, storeCredit(26)] }),
    ).rejects.toMatchObject({ status: 400 });
    expect([await cardBalance(orm, code), await walletOf(orm, customerId)]).toEqual(['10.0000', '25.0000']);
  });

  test('a later step of the save fails: nothing was spent', async () => {
    const customerId = await aCustomerWithCredit(orm, '25');
    const fails: OrderHook = () => Promise.reject(new Error('the printer is on fire'));
    await expect(place({ customerId, credits: [storeCredit(5)] }, [createCreditSpender(), fails])).rejects.toThrow(
      'on fire',
    );
    expect(await walletOf(orm, customerId)).toBe('25.0000');
  });
});

test('of eight orders at once that spend one wallet only as many win as it can pay', async () => {
  const customerId = await aCustomerWithCredit(orm, '100');
  const { done } = await outcomesAtOnce(8, () => place({ customerId, credits: [storeCredit(100)] }));
  expect(done).toHaveLength(1);
  expect(await ordersOf(customerId)).toHaveLength(1);
  expect(await walletOf(orm, customerId)).toBe('0.0000');
});

test('orders that spend the same cards in turned orders at once do not wait for each other for ever', async () => {
  const [one, other] = [await aGiftCard(orm, '100'), await aGiftCard(orm, '100')];
  const card = (code: string) => ({ credit_type: 'gift_card', code, amount: 5 });
  await eightAtOnce((at) => place({ credits: at % 2 ? [card(one), card(other)] : [card(other), card(one)] }));
  expect([await cardBalance(orm, one), await cardBalance(orm, other)]).toEqual(['60.0000', '60.0000']);
});
