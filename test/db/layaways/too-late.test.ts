import { expect, test } from '@jest/globals';
import { cancelLayaway } from '../../../db/layaways/cancel-layaway.ts';
import { capturePayment } from '../../../db/layaways/capture-payment.ts';
import { aCancellation, aLayaway, aPayment } from '../../support/builders/layaway.ts';
import { booksOf } from '../../support/books.ts';
import { opensAShop, orm } from './paid-layaways.ts';

opensAShop();

const { fork, moneyInOf, memosOf, cancellationsOf, storyOf, booksHold } = booksOf(() => orm);
/** Whoever asked has gone since. */
const beginBefore = '2026-11-21 09:00:00+00';
const tooLate = { refusal: { status: 503, message: expect.stringContaining('nothing was done') } };
const aLayawayWith = async (deposit: string) => {
  const { orderId } = await aLayaway(fork());
  await capturePayment(orm.em, aPayment(orderId, deposit));
  return orderId;
};
const booked = async (orderId: number) => [await moneyInOf(orderId), await memosOf(orderId), await storyOf(orderId)];

test('nothing begins for a caller that has gone', async () => {
  const orderId = await aLayawayWith('40');
  const before = await booked(orderId);

  await expect(capturePayment(orm.em, aPayment(orderId, '20', { beginBefore }))).rejects.toMatchObject(tooLate);
  await expect(cancelLayaway(orm.em, aCancellation(orderId, 20, { beginBefore }))).rejects.toMatchObject(tooLate);

  expect(await booked(orderId)).toEqual(before);
  expect(await cancellationsOf(orderId)).toEqual([]);
  await booksHold();
});

test('what was done in time is answered, however late the repeat is', async () => {
  const orderId = await aLayawayWith('40');
  const [payment, cancellation] = [aPayment(orderId, '20'), aCancellation(orderId, 20)];
  await capturePayment(orm.em, payment);
  expect(await capturePayment(orm.em, { ...payment, beginBefore })).toEqual({ status: 'open' });

  await cancelLayaway(orm.em, cancellation);
  expect(await cancelLayaway(orm.em, { ...cancellation, beginBefore })).toEqual({ status: 'cancelled' });

  expect(await moneyInOf(orderId)).toHaveLength(2);
  expect(await memosOf(orderId)).toHaveLength(1);
});

test('a payment by a reference that the order has is answered, however late it comes', async () => {
  const { orderId } = await aLayaway(fork());
  await capturePayment(orm.em, aPayment(orderId, '40', { reference: 'T-1' }));
  const again = aPayment(orderId, '40', { reference: 'T-1', beginBefore });

  expect(await capturePayment(orm.em, again)).toEqual({ status: 'open' });
  expect(await moneyInOf(orderId)).toHaveLength(1);
});

test('money beyond what is owed is not told for a caller that has gone', async () => {
  const orderId = await aLayawayWith('108');
  const before = await storyOf(orderId);

  await expect(capturePayment(orm.em, aPayment(orderId, '5', { beginBefore }))).rejects.toMatchObject(tooLate);
  expect(await storyOf(orderId)).toEqual(before);
});
