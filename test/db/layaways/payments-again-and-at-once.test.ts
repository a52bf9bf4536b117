import { describe, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { cancelLayaway } from '../../../db/layaways/cancel-layaway.ts';
import { capturePayment, type LayawayPayment } from '../../../db/layaways/capture-payment.ts';
import { flagStale, flagStaleBatch } from '../../../db/layaways/flag-stale.ts';
import { aCancellation, aLayaway, aPayment } from '../../support/builders/layaway.ts';
import { booksOf } from '../../support/books.ts';
import { rivalsOf } from '../../support/rivals.ts';
import { opensAShop, orm, other, stands, payments } from './layaway-payments.ts';

opensAShop();

const { memosOf, storyOf, fork, booksHold } = booksOf(() => orm);

const atOnce = rivalsOf(() => [orm, other]);
const refusalsIn = (answers: readonly unknown[]) => answers.filter((answer) => typeof answer === 'string');

describe('the same payment again', () => {
  test.each(['12', ' 12', '1', '🧾 Nr. 7', `${'9'.repeat(255)}`, 'invoice-000000001', "'; drop table sales_order; --"])(
    'under the reference %j books nothing',
    async (reference) => {
      const { orderId } = await aLayaway(fork());
      await capturePayment(orm.em, aPayment(orderId, '10', { reference }));
      await capturePayment(orm.em, aPayment(orderId, '99', { reference, paymentMethod: 'terminal' }));
      expect(await payments(orderId)).toEqual([{ reference, amount: '10.0000' }]);
    },
  );

  test('a reference is that one and no other, however alike they look', async () => {
    const { orderId } = await aLayaway(fork());
    const references = ['1', '12', '123', ' 1', '1 ', '01', '１', 'a', 'A', 'invoice-1'];
    for (const reference of references) await capturePayment(orm.em, aPayment(orderId, '1', { reference }));
    expect((await payments(orderId)).map(({ reference }) => reference)).toEqual(references);
    await booksHold();
  });

  test('without a reference each request is a payment, and the step of one request is one', async () => {
    const { orderId } = await aLayaway(fork());
    const payment = aPayment(orderId, '10');
    await atOnce(8, (em) => capturePayment(em, payment));
    await capturePayment(orm.em, aPayment(orderId, '10'));
    expect(await payments(orderId)).toHaveLength(2);
  });

  test('of another order is another payment', async () => {
    const [first, second] = [await aLayaway(fork()), await aLayaway(fork())];
    for (const { orderId } of [first, second])
      await capturePayment(orm.em, aPayment(orderId, '10', { reference: 'same' }));
    expect(await payments(second.orderId)).toHaveLength(1);
  });

  test('is answered even when the layaway was cancelled since', async () => {
    const { orderId } = await aLayaway(fork());
    const payment = aPayment(orderId, '10', { reference: 'T-1' });
    await capturePayment(orm.em, payment);
    await cancelLayaway(orm.em, aCancellation(orderId, 0));
    expect(await capturePayment(orm.em, payment)).toEqual({ status: 'cancelled' });
  });
});

describe.each([2, 8, 50])('%i at once', (count) => {
  test('with one reference are one payment', async () => {
    const { orderId } = await aLayaway(fork());
    const answers = await atOnce(count, (em) => capturePayment(em, aPayment(orderId, '10', { reference: 'T-1' })));
    expect(refusalsIn(answers)).toEqual([]);
    expect(await payments(orderId)).toEqual([{ reference: 'T-1', amount: '10.0000' }]);
    await booksHold();
  });

  test('with neighbouring references are each its own', async () => {
    const { orderId } = await aLayaway(fork());
    await atOnce(count, (em, at) => capturePayment(em, aPayment(orderId, '1', { reference: '1'.repeat(at + 1) })));
    expect(await payments(orderId)).toHaveLength(count);
    await booksHold();
  });

  test('of 40 % each: two and a half are booked, never more than the total', async () => {
    const { orderId } = await aLayaway(fork());
    await atOnce(count, (em) => capturePayment(em, aPayment(orderId, '43.20')));
    const amounts = (await payments(orderId)).map(({ amount }) => amount);
    expect(amounts).toEqual(['43.2000', '43.2000', '21.6000'].slice(0, count));
    await booksHold();
  });

  test('the last payment and cancellations: either it is paid or it is cancelled', async () => {
    const { orderId } = await aLayaway(fork());
    await capturePayment(orm.em, aPayment(orderId, '40'));
    const answers = await atOnce(count, (em, at) =>
      at % 2 === 0
        ? capturePayment(em, aPayment(orderId, '68'))
        : cancelLayaway(em, aCancellation(orderId, 10)).then(({ status }) => ({ status })),
    );
    const stood = await stands(orderId);
    const paid = stood?.['status'] === 'ready_to_settle';
    expect(stood).toMatchObject(
      paid
        ? { total_paid: '108.0000', state: 'pending_payment', invoice: 1 }
        : { status: 'cancelled', total_paid: '40.0000', state: 'canceled', invoice: 3 },
    );
    expect(refusalsIn(answers).every((message) => String(message).includes('already'))).toBe(true);
    await booksHold();
  });

  test('payments, cancellations, the timer and the job: no payment after the end, one memo', async () => {
    const { orderId } = await aLayaway(fork(), { expiresAt: new Date(Date.now() - 1_000) });
    await capturePayment(orm.em, aPayment(orderId, '40'));
    const works: ((em: MikroORM['em']) => Promise<unknown>)[] = [
      (em) => capturePayment(em, aPayment(orderId, '1')),
      (em) => cancelLayaway(em, aCancellation(orderId, 0)),
      (em) => flagStale(em.fork(), orderId),
      (em) => flagStaleBatch(em.fork(), { after: 0, limit: 500 }),
    ];
    await atOnce(count, (em, at) => works[at % works.length]!(em));
    await cancelLayaway(orm.em, aCancellation(orderId, 0)).catch(() => undefined);
    expect(await stands(orderId)).toMatchObject({ status: 'cancelled', state: 'canceled', invoice: 3 });
    expect(await memosOf(orderId)).toHaveLength(1);
    expect((await storyOf(orderId)).filter((line) => line.includes('overdue')).length).toBeLessThanOrEqual(1);
    await booksHold();
  });
});

test('eight steps of eight payments, each run eight times, are eight payments', async () => {
  const { orderId } = await aLayaway(fork());
  const wanted: LayawayPayment[] = Array.from({ length: 8 }, () => aPayment(orderId, '1'));
  await atOnce(64, (em, at) => capturePayment(em, wanted[at % 8]!));
  expect(await payments(orderId)).toHaveLength(8);
  await booksHold();
});
