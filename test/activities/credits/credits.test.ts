import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import {
  createCreditActivities,
  createCreditRefundActivities,
  type CreditRefundActivities,
} from '../../../activities/credits.ts';
import { findReservedRefunds, hasCreditWork } from '../../../db/credits/find-credit-work.ts';
import { sealCreditWords } from '../../../db/credits/reserve-credit-refund.ts';
import { findPoints } from '../../../db/reward-points/read-points.ts';
import { findBalance } from '../../../db/store-credit/read-balance.ts';
import { beginBefore } from '../../../db/support/begin-before.ts';
import { money } from '../../../domain/money.ts';
import { type CreditSimulator, startCreditSimulator } from '../../../local/simulators/app.ts';
import { createCredits } from '../../../providers/credits/credits.ts';
import { booksOf } from '../../support/books.ts';
import { aRefundedSale, reservedStoreCredit } from '../../support/builders/credit.ts';
import { anOrder } from '../../support/builders/order.ts';
import { pointsOn } from '../../support/builders/points.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCreditFromOutside } from '../../support/builders/spending.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { testDatabase } from '../../support/database.ts';
import { builtInReturns, silent, testSecrets } from '../../support/fakes.ts';
import { inMinutes, minutesAgo } from '../../support/moments.ts';
import { eightAtOnce, twiceAtOnce } from '../../support/rivals.ts';

describe('credit activities', () => {
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
});

describe('credit refund activities', () => {
  let orm: MikroORM;
  let outside: CreditSimulator;
  let activities: CreditRefundActivities;

  beforeAll(async () => {
    orm = await testDatabase();
    outside = await startCreditSimulator();
    const credits = createCredits({ orm, service: { baseUrl: outside.url, apiKey: undefined, kind: 'gift_card' } });
    activities = createCreditRefundActivities({
      orm,
      providers: {
        ...{ credits, secrets: testSecrets, returns: builtInReturns },
        gateways: { for: () => Promise.resolve(undefined) },
      },
      log: silent,
      clock: () => new Date(),
      gatewayTimeoutSeconds: 5,
      reconcileAfterSeconds: 60,
    });
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

  const { findOne, fork, insertAll, remove, creditRefundsOf, refuseWrites, booksHold } = booksOf(() => orm);
  const stateOf = async (refundId: number) => (await findOne('credit_refund', { refund_id: refundId }, 'state')).state;
  const aReservation = (wanted?: Parameters<typeof reservedStoreCredit>[1]) => reservedStoreCredit(orm, wanted);
  const outsideCard = { kind: 'gift_card', providerCode: 'credit_service' } as const;

  let requests = 0;
  const aWish = async (more: object = {}) => {
    const { orderId } = await aRefundedSale(orm);
    return {
      ...{ orderId, ...outsideCard, customerId: null, amount: money('10'), requestKey: `request-${++requests}` },
      sealedWords: sealCreditWords(testSecrets, { code: 'OUT-1', reason: 'a return' }),
      beginBefore: await beginBefore(fork()),
      ...more,
    };
  };

  test('of eight at once, and once more, one reserves; the card is in the row and in no answer', async () => {
    const wish = await aWish({ beginBefore: inMinutes(5).toISOString() });
    const answers = await eightAtOnce(() => activities.reserveCredit(wish));
    answers.push(await activities.reserveCredit(wish));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(JSON.stringify(answers)).not.toContain('OUT-1');
    expect(await creditRefundsOf(wish.orderId, 'state', 'code', 'reason')).toEqual([
      { state: 'reserved', code: 'OUT-1', reason: 'a return' },
    ]);
  });

  test('too late nothing is reserved; what is reserved already is answered however late', async () => {
    const wish = await aWish({ beginBefore: minutesAgo(1).toISOString() });
    expect(await activities.reserveCredit(wish)).toMatchObject({ refused: { status: 503 } });
    expect(await creditRefundsOf(wish.orderId)).toEqual([]);
    const early = { ...wish, beginBefore: await beginBefore(fork()) };
    const reserved = await activities.reserveCredit(early);
    expect(await activities.reserveCredit(wish)).toEqual(reserved);
  });

  test('a provider that this worker does not know is refused before anything is reserved', async () => {
    const wish = await aWish({ providerCode: 'gone' });
    expect(await activities.reserveCredit(wish)).toMatchObject({ refused: { status: 400 } });
    expect(await creditRefundsOf(wish.orderId)).toEqual([]);
  });

  test('a reservation is given and booked once, however often it is asked for', async () => {
    const { refundId, customerId } = await aReservation();

    const answers = await eightAtOnce(() => activities.giveCredit({ refundId }));
    answers.push(await activities.giveCredit({ refundId }));

    expect(new Set(answers)).toEqual(new Set(['booked']));
    expect(await stateOf(refundId)).toBe('booked');
    expect((await findBalance(fork(), customerId, 1)).amount).toBe(money('10.0000'));
  });

  test('one that the provider refuses is freed; one that it says nothing about stays', async () => {
    const refused = await aReservation({ ...outsideCard, code: 'NOBODY' });
    expect(await activities.giveCredit(refused)).toBe('failed');
    expect(await stateOf(refused.refundId)).toBe('failed');

    const lost = await aReservation({ ...outsideCard, code: 'OUT-1' });
    outside.mood = 'acts_and_drops';
    expect(await activities.giveCredit(lost)).toBe('unknown');
    expect(await stateOf(lost.refundId)).toBe('reserved');
    outside.mood = 'answers';
    expect(await activities.giveCredit(lost)).toBe('booked');
    expect(outside.balances.get('OUT-1')).toBe(100_000);
  });

  test('one that was given while the books take nothing is told as given, and booked the next time', async () => {
    const given = await aReservation({ ...outsideCard, code: 'OUT-1' });
    const mend = await refuseWrites({ on: 'change', to: 'credit_refund', says: 'the disk is full' });
    try {
      expect(await activities.giveCredit(given)).toBe('credited');
    } finally {
      await mend();
    }
    expect(await stateOf(given.refundId)).toBe('reserved');
    expect(await activities.giveCredit(given)).toBe('booked');
    expect(outside.balances.get('OUT-1')).toBe(100_000);
  });

  test('a provider that is gone, with more than one sweep looks at, hides no other refund', async () => {
    const gone = await aReservation({ amount: money('0.01'), providerCode: 'gone', kind: 'gift_card', code: 'GONE' });
    const {
      refund_id: _id,
      request_key: _key,
      ...cells
    } = await findOne('credit_refund', { refund_id: gone.refundId });
    await insertAll(
      'credit_refund',
      Array.from({ length: 100 }, () => ({ ...cells, created_at: minutesAgo(60) })),
    );
    const { refundId, orderId } = await aReservation();

    expect(await activities.giveCredit(gone)).toBe('unknown');
    expect(await findReservedRefunds(fork())).toContainEqual({ refundId, orderId, requestKey: `refund-${refundId}` });
    await remove('credit_refund', { provider_code: 'gone' });
  });

  test('the books hold', async () => {
    await booksHold();
  });
});
