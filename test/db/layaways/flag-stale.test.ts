import { expect, test } from '@jest/globals';
import { findFinishedLately, findUnfollowed } from '../../../db/layaways/find-unfollowed.ts';
import { flagStale, flagStaleBatch, capturePayment } from '../../../db/layaways/capture-payment.ts';
import { followLayaway, lookAtLayaway, cancelLayaway } from '../../../db/layaways/cancel-layaway.ts';
import { collectDuePayment } from '../../../db/orders/collect-due-payment.ts';
import { money } from '../../../domain/money.ts';
import { aCancellation, aLayaway, aPayment } from '../../support/builders/layaway.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { opensAShop, orm } from '../../support/order-book.ts';
import { minutesAgo, inSeconds } from '../../support/moments.ts';

opensAShop();

const { fork, storyOf, change } = booksOf(() => orm);
const statusOf = async (orderId: number) => (await lookAtLayaway(fork(), orderId)).status;
const commentsOn = async (orderId: number) =>
  (await storyOf(orderId)).filter((comment) => comment.includes('overdue')).length;
const everyStale = { after: 0, limit: 500 };

test('overdue: a second before it is not, at the moment and after it is', async () => {
  const [before, after] = [
    await aLayaway(fork(), { expiresAt: inSeconds(60) }),
    await aLayaway(fork(), { expiresAt: inSeconds(-2) }),
  ];
  const never = await aLayaway(fork(), { expiresAt: null });
  const exact = await aLayaway(fork(), { expiresAt: inSeconds(60) });
  // The column keeps whole seconds, and would round the moment itself up to the next one.
  const now = new Date(Math.floor(Date.now() / 1_000) * 1_000);
  await change('sales_order', { entity_id: exact.orderId }, { pos_layaway_expires_at: now });

  for (const { orderId } of [before, after, never, exact]) await flagStale(fork(), orderId);

  expect(await Promise.all([before, after, never, exact].map(({ orderId }) => statusOf(orderId)))).toEqual([
    'open',
    'stale',
    'open',
    'stale',
  ]);
});

test('the table: only what is open turns stale, once, and is told once', async () => {
  const expiresAt = inSeconds(-60);
  const open = await aLayaway(fork(), { expiresAt });
  const ready = await aLayaway(fork(), { expiresAt });
  await capturePayment(orm.em, aPayment(ready.orderId, '108'));
  const cancelled = await aLayaway(fork(), { expiresAt });
  await cancelLayaway(orm.em, aCancellation(cancelled.orderId, 0));

  const flagged = await eightAtOnce(() => flagStaleBatch(fork(), everyStale));
  await eightAtOnce(() => flagStale(fork(), open.orderId));

  expect(flagged.flat().filter((id) => id === open.orderId)).toHaveLength(1);
  expect(await Promise.all([open, ready, cancelled].map(({ orderId }) => statusOf(orderId)))).toEqual([
    'stale',
    'ready_to_settle',
    'cancelled',
  ]);
  expect(await commentsOn(open.orderId)).toBe(1);
});

test('what is paid in full is never overdue, although credit due leaves it open', async () => {
  const expiresAt = inSeconds(-60);
  const columns = { posCreditDue: money('108') };
  const [paid, half] = [await aLayaway(fork(), { expiresAt, columns }), await aLayaway(fork(), { expiresAt, columns })];
  await collectDuePayment(fork(), { orderId: paid.orderId, reference: 'D-1', amount: money('108') });
  await collectDuePayment(fork(), { orderId: half.orderId, reference: 'D-2', amount: money('54') });

  expect(await flagStale(fork(), paid.orderId)).toBe(false);
  expect(await flagStaleBatch(fork(), everyStale)).toEqual([half.orderId]);

  expect(await Promise.all([paid, half].map(({ orderId }) => statusOf(orderId)))).toEqual(['open', 'stale']);
  expect(await commentsOn(paid.orderId)).toBe(0);
  await expect(cancelLayaway(orm.em, aCancellation(paid.orderId, 0))).rejects.toMatchObject({
    status: 400,
    message: 'The layaway is already paid in full.',
  });
});

test('in pages, by ascending id', async () => {
  const ids: number[] = [];
  for (let at = 0; at < 5; at++) ids.push((await aLayaway(fork(), { expiresAt: inSeconds(-60) })).orderId);
  const first = await flagStaleBatch(fork(), { after: 0, limit: 3 });
  expect(first).toEqual(ids.slice(0, 3));
  expect(await flagStaleBatch(fork(), { after: first.at(-1)!, limit: 3 })).toEqual(ids.slice(3));
});

test('one that no workflow took up is found after a minute, until one does', async () => {
  const { orderId } = await aLayaway(fork());
  const page = { after: orderId - 1, limit: 500 };
  expect(await findUnfollowed(fork(), page)).toEqual([]);
  await change('sales_order', { entity_id: orderId }, { created_at: minutesAgo(2) });
  expect(await findUnfollowed(fork(), page)).toEqual([orderId]);
  for (let again = 0; again < 2; again++) await followLayaway(fork(), orderId);
  expect(await findUnfollowed(fork(), page)).toEqual([]);
});

test('one that was cancelled is told to its workflow, if it had one', async () => {
  const [followed, alone] = [await aLayaway(fork()), await aLayaway(fork())];
  await followLayaway(fork(), followed.orderId);
  for (const { orderId } of [followed, alone]) await cancelLayaway(orm.em, aCancellation(orderId, 0));
  expect(await findFinishedLately(fork(), { after: followed.orderId - 1, limit: 500 })).toEqual([followed.orderId]);
});

test('an unknown order is 404', async () => {
  await expect(followLayaway(fork(), 999_999)).rejects.toMatchObject({ status: 404 });
});
