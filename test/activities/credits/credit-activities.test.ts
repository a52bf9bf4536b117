import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createCreditActivities } from '../../../activities/credits/credit-activities.ts';
import { hasCreditWork } from '../../../db/credits/find-credit-work.ts';
import { findPoints } from '../../../db/reward-points/read-points.ts';
import { startCreditSimulator, type CreditSimulator } from '../../../local/credit-simulator/server.ts';
import { createCredits } from '../../../providers/credits/credits.ts';
import { anOrder } from '../../support/builders/order.ts';
import { pointsOn } from '../../support/builders/points.ts';
import { aCreditFromOutside } from '../../support/builders/spending.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { silent } from '../../support/fakes.ts';
import { twiceAtOnce } from '../../support/rivals.ts';

let orm: MikroORM;
let outside: CreditSimulator;
let activities: ReturnType<typeof createCreditActivities>;

beforeAll(async () => {
  orm = await testDatabase();
  outside = await startCreditSimulator();
  const credits = createCredits({ orm, service: { baseUrl: outside.url, apiKey: undefined, kind: 'gift_card' } });
  activities = createCreditActivities({ orm, providers: { credits }, log: silent });
  await aShop(fork());
});
beforeEach(() => {
  outside.mood = 'answers';
  outside.balances.set('OUT-1', 0);
});
afterAll(async () => {
  await outside.stop();
  await orm.close();
});

const { find, fork, insert, remove, booksHold } = booksOf(() => orm);
test('a leg given back to a provider outside is told there under its key, once', async () => {
  const { orderId } = await anOrder(fork());
  const returned = { base_returned: 12.5, amount_returned: 12.5 };
  const credit = await aCreditFromOutside(orm, orderId, { code: 'OUT-1', spend_key: 'spend-outside', ...returned });
  await insert('order_credit_return', {
    credit_id: credit['credit_id'],
    base_amount: 12.5,
    amount: 12.5,
    return_key: 'leg-1',
    state: 'pending',
  });

  outside.mood = 'fails';
  expect(await activities.deliverCreditReturns()).toBe(0);
  outside.mood = 'acts_and_drops';
  expect(await activities.deliverCreditReturns()).toBe(0);
  outside.mood = 'answers';
  expect(await activities.deliverCreditReturns()).toBe(1);
  expect(await activities.deliverCreditReturns()).toBe(0);

  expect(outside.balances.get('OUT-1')).toBe(125_000);
  expect(await find('order_credit_return', {}, 'state')).toEqual([{ state: 'booked' }]);
  await remove('order_credit_return');
  await remove('order_credit');
});

test('points of paid orders are booked, and then there is nothing left to do', async () => {
  await pointsOn(fork());
  const customerId = await aCustomer(fork());
  await anOrder(fork(), { customerId });
  await twiceAtOnce(() => activities.bookDuePoints());
  expect(await findPoints(fork(), customerId, 1)).toBe(100);
  expect(await hasCreditWork(fork())).toBe(false);
});

test('the books hold', async () => {
  await booksHold();
});
