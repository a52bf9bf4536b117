import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createCreditActivities } from '../../../activities/credits/credit-activities.ts';
import { hasCreditWork } from '../../../db/credits/find-credit-work.ts';
import { findPoints } from '../../../db/reward-points/read-points.ts';
import { findBalance } from '../../../db/store-credit/wallet.repository.ts';
import { money } from '../../../domain/money/amount.ts';
import { startCreditSimulator, type CreditSimulator } from '../../../local/credit-simulator/server.ts';
import { createCredits } from '../../../providers/credits/credits.ts';
import { reservedStoreCredit } from '../../support/builders/credit.ts';
import { anOrder } from '../../support/builders/order.ts';
import { pointsOn } from '../../support/builders/points.ts';
import { aCreditFromOutside } from '../../support/builders/spending.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { silent } from '../../support/fakes.ts';
import { eightAtOnce, twiceAtOnce } from '../../support/rivals.ts';
import { minutesAgo } from '../../support/moments.ts';

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

const { find, findOne, fork, insert, insertAll, remove, booksHold } = booksOf(() => orm);
const stateOf = async (refundId: number) => (await findOne('credit_refund', { refund_id: refundId }, 'state')).state;

const aReservation = (wanted?: Parameters<typeof reservedStoreCredit>[1]) => reservedStoreCredit(orm, wanted);

test('a reservation that a crash left is given and booked, once, by however many sweeps', async () => {
  const { refundId, customerId } = await aReservation();
  expect(await hasCreditWork(fork())).toBe(true);

  await eightAtOnce(() => activities.concludeCreditRefunds());
  await activities.concludeCreditRefunds();

  expect(await stateOf(refundId)).toBe('booked');
  expect((await findBalance(fork(), customerId, 1)).amount).toBe(money('10.0000'));
});

test('a provider that is gone, with more than one sweep looks at, keeps none of the others waiting', async () => {
  const gone = await aReservation({ amount: money('0.01'), providerCode: 'gone', kind: 'gift_card', code: 'GONE' });
  const { refund_id: _id, request_key: _key, ...cells } = await findOne('credit_refund', { refund_id: gone.refundId });
  await insertAll(
    'credit_refund',
    Array.from({ length: 100 }, () => ({ ...cells, created_at: minutesAgo(60) })),
  );
  const { refundId } = await aReservation();

  await activities.concludeCreditRefunds();

  expect(await stateOf(refundId)).toBe('booked');
  await remove('credit_refund', { provider_code: 'gone' });
});

test('one that the provider refuses is freed; one that it says nothing about stays', async () => {
  const outsideCard = { kind: 'gift_card', providerCode: 'credit_service' } as const;
  const refused = await aReservation({ ...outsideCard, code: 'NOBODY' });
  await activities.concludeCreditRefunds();
  expect(await stateOf(refused.refundId)).toBe('failed');

  const lost = await aReservation({ ...outsideCard, code: 'OUT-1' });
  outside.mood = 'acts_and_drops';
  expect(await activities.concludeCreditRefunds()).toBe(0);
  expect(await stateOf(lost.refundId)).toBe('reserved');
  outside.mood = 'answers';
  expect(await activities.concludeCreditRefunds()).toBe(1);
  expect(await stateOf(lost.refundId)).toBe('booked');
  expect(outside.balances.get('OUT-1')).toBe(100_000);
});

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
