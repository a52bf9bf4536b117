import { describe, expect, test } from 'vitest';
import { cancelLayaway } from '../../../db/layaways/cancel-layaway.ts';
import { capturePayment } from '../../../db/layaways/capture-payment.ts';
import { readLayaway } from '../../../db/layaways/read-layaway.ts';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { money } from '../../../domain/money/amount.ts';
import { aCancellation, aLayaway, aPayment } from '../../support/builders/layaway.ts';
import { aGiftCard, cardBalance, pointsOf, withPoints } from '../../support/builders/credit.ts';
import { aCustomer, anEntry } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { opensAShop, orm, order } from './paid-layaways.ts';

opensAShop();

const { fork, walletsOf, storyOf, booksHold } = booksOf(() => orm);

describe('credit that was spent on it', () => {
  const balance = async (customerId: number) => (await walletsOf(customerId, 'amount'))[0];
  const aLayawayWithCredit = async (amount: number, captured: string) => {
    const customerId = await aCustomer(fork());
    await addEntry(fork(), anEntry(customerId, { amount: '100' }));
    const { orderId } = await aLayaway(fork(), {
      customerId,
      credits: [{ credit_type: 'store_credit', amount }],
    });
    if (captured !== '0') await capturePayment(orm.em, aPayment(orderId, captured));
    return { orderId, customerId };
  };

  test('counts as paid but not as captured, and comes back to its balance', async () => {
    const { orderId, customerId } = await aLayawayWithCredit(30, '40');
    expect(await readLayaway(fork(), orderId)).toMatchObject({ totalCaptured: money('40'), balanceOwed: money('38') });

    await cancelLayaway(orm.em, aCancellation(orderId, 20));

    expect(await balance(customerId)).toEqual({ amount: '100.0000' });
    expect((await readLayaway(fork(), orderId)).cancellation).toMatchObject({
      fee: money('14'),
      refund: money('26'),
      legs: [{ kind: 'store_credit', providerCode: 'store_credit', appliesAs: 'tender', amount: money('30') }],
    });
    expect(await order(orderId)).toMatchObject({ total_refunded: '56.0000', state: 'canceled' });
    await booksHold();
  });

  test('bears what of the fee the money does not cover', async () => {
    const { orderId, customerId } = await aLayawayWithCredit(50, '10');
    await cancelLayaway(orm.em, aCancellation(orderId, 50));
    expect(await balance(customerId)).toEqual({ amount: '80.0000' });
    expect((await readLayaway(fork(), orderId)).cancellation).toMatchObject({ fee: money('30'), refund: 0 });
    await booksHold();
  });
});

describe('a gift card and points that were spent on it', () => {
  const held = async ({ code, customerId }: { code: string; customerId: number }) => ({
    card: await cardBalance(orm, code),
    points: await pointsOf(orm, customerId),
  });
  const aLayawayOnCard = async (captured: string, appliesAs: 'tender' | 'discount' = 'tender') => {
    const customerId = await aCustomer(fork());
    const code = await aGiftCard(orm, '50');
    await withPoints(orm, customerId, 2_000);
    const { orderId } = await aLayaway(fork(), {
      customerId,
      credits: [
        { credit_type: 'gift_card', code, amount: 20 },
        { credit_type: 'reward_points', points: 1_000, amount: 10, applies_as: appliesAs },
      ],
    });
    await capturePayment(orm.em, aPayment(orderId, captured));
    return { orderId, customerId, code };
  };

  test('come back whole; the fee is kept from the money', async () => {
    const layaway = await aLayawayOnCard('40');
    const { orderId } = layaway;
    expect(await held(layaway)).toEqual({ card: '30.0000', points: 1_000 });

    await cancelLayaway(orm.em, aCancellation(orderId, 20));

    expect(await held(layaway)).toEqual({ card: '50.0000', points: 2_000 });
    expect((await readLayaway(fork(), orderId)).cancellation).toMatchObject({
      fee: money('14'),
      refund: money('26'),
      legs: [
        { kind: 'gift_card', appliesAs: 'tender', amount: money('20'), points: null },
        { kind: 'reward_points', appliesAs: 'tender', amount: money('10'), points: 1_000 },
      ],
    });
    expect(await order(orderId)).toMatchObject({ total_refunded: '56.0000', state: 'canceled' });
    expect((await storyOf(orderId)).join()).not.toContain(layaway.code);
    await booksHold();
  });

  test('points that were a discount are no part of the deposit, and come back beside it', async () => {
    const layaway = await aLayawayOnCard('40', 'discount');
    await cancelLayaway(orm.em, aCancellation(layaway.orderId, 50));
    expect(await held(layaway)).toEqual({ card: '50.0000', points: 2_000 });
    expect((await readLayaway(fork(), layaway.orderId)).cancellation).toMatchObject({
      fee: money('30'),
      refund: money('10'),
      legs: [{ kind: 'gift_card' }, { kind: 'reward_points', appliesAs: 'discount', points: 1_000 }],
    });
    expect(await order(layaway.orderId)).toMatchObject({ total_refunded: '30.0000', state: 'canceled' });
    await booksHold();
  });

  test('are never kept in part: such a fee is refused before anything moves, and one the money covers is taken', async () => {
    const layaway = await aLayawayOnCard('10');
    const before = await order(layaway.orderId);

    await expect(cancelLayaway(orm.em, aCancellation(layaway.orderId, 26))).rejects.toMatchObject({ status: 400 });

    expect(await held(layaway)).toEqual({ card: '30.0000', points: 1_000 });
    expect(await order(layaway.orderId)).toEqual(before);
    await cancelLayaway(orm.em, aCancellation(layaway.orderId, 25));
    expect(await held(layaway)).toEqual({ card: '50.0000', points: 2_000 });
    expect((await readLayaway(fork(), layaway.orderId)).cancellation).toMatchObject({ fee: money('10'), refund: 0 });
    await booksHold();
  });
});
