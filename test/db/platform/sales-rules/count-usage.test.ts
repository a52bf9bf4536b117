import { expect, test } from '@jest/globals';
import { cancelOrder } from '../../../../db/platform/orders/cancel-order.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { booksOf } from '../../../support/books.ts';
import { eightAtOnce } from '../../../support/rivals.ts';
import { opensAShop, orm } from '../../../support/order-book.ts';

opensAShop();

const { fork, find } = booksOf(() => orm);

const used = async (code: string) =>
  Object.fromEntries(
    (await find('sales_rule_usage', { code }, 'kind', 'customer_id', 'times_used')).map(
      ({ kind, customer_id, times_used }) => [`${kind} by ${customer_id}`, times_used],
    ),
  );

const promoted = (couponCode: string, rules: string, customerId?: number) =>
  anOrder(fork(), {
    paid: false,
    shipped: false,
    columns: { couponCode, appliedRuleIds: rules, ...(customerId === undefined ? {} : { customerId }) },
  });

test('eight orders at once with one coupon count eight uses, in all and by customer', async () => {
  await eightAtOnce((index) => promoted('SPRING', '1,4,1', index % 2 === 0 ? 7 : undefined));

  expect(await used('SPRING')).toEqual({ 'coupon by 0': 8, 'coupon by 7': 4 });
  expect(await used('1')).toEqual({ 'rule by 0': 8, 'rule by 7': 4 });
  expect(await used('4')).toEqual({ 'rule by 0': 8, 'rule by 7': 4 });
});

test('a cancelled order gives its coupon back, once', async () => {
  const { orderId } = await promoted('SUMMER', '9', 7);
  expect(await cancelOrder(orm.em, orderId)).toBe(true);
  expect(await cancelOrder(orm.em, orderId)).toBe(false);

  expect(await used('SUMMER')).toEqual({ 'coupon by 0': 0, 'coupon by 7': 0 });
  expect(await used('9')).toEqual({ 'rule by 0': 0, 'rule by 7': 0 });
});
