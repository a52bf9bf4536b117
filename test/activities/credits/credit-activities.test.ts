import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
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
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { silent } from '../../support/fakes.ts';
import { eightAtOnce, twiceAtOnce } from '../../support/rivals.ts';

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

const { fork, rows, write, insert, remove, booksHold } = booksOf(() => orm);
const stateOf = async (refundId: number) =>
  (await rows<{ state: string }>('select state from credit_refund where refund_id = ?', refundId))[0]?.state;

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
  await write(
    `insert into credit_refund (order_id, kind, provider_code, code, website_id, amount, base_amount, currency_code,
       base_currency_code, reason, state, created_at)
     select order_id, kind, provider_code, code, website_id, amount, base_amount, currency_code, base_currency_code, reason,
       state, created_at - interval '1 hour' from credit_refund, generate_series(1, 100) where refund_id = ?`,
    gone.refundId,
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
  const [credit] = await rows<{ credit_id: number }>(
    `insert into order_credit (order_id, kind, provider_code, applies_as, website_id, code, base_amount, amount,
       base_returned, amount_returned, spend_key)
     values (?, 'gift_card', 'credit_service', 'tender', 1, 'OUT-1', 30, 30, 12.5, 12.5, 'spend-outside') returning credit_id`,
    orderId,
  );
  await insert('order_credit_return', {
    credit_id: credit?.credit_id,
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
  expect(await rows('select state from order_credit_return')).toEqual([{ state: 'booked' }]);
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
