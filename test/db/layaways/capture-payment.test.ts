import { expect, test } from 'vitest';
import { capturePayment } from '../../../db/layaways/capture-payment.ts';
import { money } from '../../../domain/money/amount.ts';
import { aLayaway, aPayment } from '../../support/builders/layaway.ts';
import { aGiftCard } from '../../support/builders/gift-card.ts';
import { booksOf } from '../../support/books.ts';
import { opensAShop, orm, stands, payments } from './layaway-payments.ts';

opensAShop();

const { fork, refuseWrites, storyOf, booksHold } = booksOf(() => orm);

test('the first money there is was the deposit, whatever was announced with the order', async () => {
  const announced = { posLayawayDepositAmount: money('50'), posLayawayInitialPaymentMethod: 'checkmo' };
  const { orderId } = await aLayaway(fork(), { columns: announced });

  await capturePayment(orm.em, aPayment(orderId, '30', { paymentMethod: 'vendor_provider_a' }));
  expect(await stands(orderId)).toMatchObject({ deposit: '30.0000', method: 'vendor_provider_a' });
  await capturePayment(orm.em, aPayment(orderId, '20', { paymentMethod: 'cash' }));
  expect(await stands(orderId)).toMatchObject({ deposit: '30.0000', method: 'vendor_provider_a' });
});

test('credit is not the money a layaway began with: the first payment is its deposit all the same', async () => {
  const announced = { posLayawayDepositAmount: money('50'), posLayawayInitialPaymentMethod: 'checkmo' };
  const code = await aGiftCard(fork(), { amount: '20' });
  const credits = [{ credit_type: 'gift_card', code, amount: 20 }];
  const { orderId } = await aLayaway(fork(), { columns: announced, credits });

  await capturePayment(orm.em, aPayment(orderId, '30', { paymentMethod: 'vendor_provider_a' }));
  expect(await stands(orderId)).toMatchObject({
    total_paid: '50.0000',
    deposit: '30.0000',
    method: 'vendor_provider_a',
  });
});

test('money that came with the order stays the deposit', async () => {
  const came = { totalPaid: money('50'), posLayawayDepositAmount: money('50'), posLayawayInitialPaymentMethod: 'card' };
  const { orderId } = await aLayaway(fork(), { columns: came });

  await capturePayment(orm.em, aPayment(orderId, '30', { paymentMethod: 'cash' }));
  expect(await stands(orderId)).toMatchObject({ total_paid: '80.0000', deposit: '50.0000', method: 'card' });
});

test.each([
  ['open, where nothing was paid', '0', 'open'],
  ['ready to settle, where all of it was', '108', 'ready_to_settle'],
])('a layaway that is posted as ready to settle is %s', async (_case, paid, status) => {
  const columns = { posLayawayStatus: 'ready_to_settle', totalPaid: money(paid) };
  const { orderId } = await aLayaway(fork(), { columns });
  expect(await stands(orderId)).toMatchObject({ status });
});

test('deposit, top-up and last payment: columns and attributes together, the invoice stays open', async () => {
  const { orderId } = await aLayaway(fork());

  await capturePayment(orm.em, aPayment(orderId, '40', { reference: 'T-1' }));
  expect(await stands(orderId)).toEqual({
    state: 'pending_payment',
    status: 'open',
    total_paid: '40.0000',
    base_total_paid: '40.0000',
    total_due: '68.0000',
    owed: '68.0000',
    deposit: '40.0000',
    method: 'cash',
    amount_paid: '40.0000',
    invoice: 1,
  });
  await capturePayment(orm.em, aPayment(orderId, '20', { paymentMethod: 'vendor_provider_a' }));
  expect(await capturePayment(orm.em, aPayment(orderId, '100'))).toEqual({ status: 'ready_to_settle' });

  expect(await stands(orderId)).toMatchObject({
    state: 'pending_payment',
    status: 'ready_to_settle',
    total_paid: '108.0000',
    owed: '0.0000',
    deposit: '40.0000',
    method: 'cash',
    invoice: 1,
  });
  expect((await payments(orderId)).map(({ amount }) => amount)).toEqual(['40.0000', '20.0000', '48.0000']);
  expect(await storyOf(orderId)).toEqual([
    'The order was placed.',
    'Layaway payment of $40.00 by cash, reference T-1. Balance owed: $68.00.',
    'Layaway payment of $20.00 by vendor_provider_a. Balance owed: $48.00.',
    'Layaway payment by cash: $100.00 was requested, $48.00 was booked, which is all that was owed. Balance owed: $0.00.',
  ]);
  await booksHold();
});

test('a layaway in another currency is paid in it, and the base amounts add up', async () => {
  const { orderId } = await aLayaway(fork(), { rate: '1.36', currency: 'CAD', storeId: 2 });

  for (const amount of ['50', '0.01', '96.87']) await capturePayment(orm.em, aPayment(orderId, amount));

  expect(await stands(orderId)).toMatchObject({
    status: 'ready_to_settle',
    total_paid: '146.8800',
    base_total_paid: '108.0000',
  });
  await booksHold();
});

test('money taken when nothing is owed is told in the history, once per step, and not booked', async () => {
  const { orderId } = await aLayaway(fork());
  await capturePayment(orm.em, aPayment(orderId, '108'));
  const late = aPayment(orderId, '10', { reference: 'late' });

  for (const payment of [late, late]) await capturePayment(orm.em, payment);

  expect(await payments(orderId)).toHaveLength(1);
  expect((await storyOf(orderId)).filter((line) => line.includes('late'))).toEqual([
    'Layaway payment by cash, reference late: $10.00 was requested, $0.00 was booked, which is all that was owed. Balance owed: $0.00.',
  ]);
});

test.each([
  ['nothing', '0', 400],
  ['less than nothing', '-10', 400],
])('%s is refused and leaves nothing', async (_case, amount, status) => {
  const { orderId } = await aLayaway(fork());
  await expect(capturePayment(orm.em, aPayment(orderId, amount))).rejects.toMatchObject({ status });
  expect(await storyOf(orderId)).toEqual(['The order was placed.']);
});

test('an unknown order is 404, and one that is not a layaway 400', async () => {
  const { aPlainOrder } = { aPlainOrder: await aLayaway(fork(), { layaway: false }) };
  await expect(capturePayment(orm.em, aPayment(999_999, '10'))).rejects.toMatchObject({ status: 404 });
  await expect(capturePayment(orm.em, aPayment(aPlainOrder.orderId, '10'))).rejects.toMatchObject({
    status: 400,
    message: 'The order is not a layaway.',
  });
});

test('a payment that fails half-way leaves nothing', async () => {
  const { orderId } = await aLayaway(fork());
  const mend = await refuseWrites({ to: 'sales_order_status_history', says: 'disk full' });
  try {
    await expect(capturePayment(orm.em, aPayment(orderId, '10'))).rejects.toThrow('disk full');
  } finally {
    await mend();
  }
  expect(await payments(orderId)).toEqual([]);
  expect(await stands(orderId)).toMatchObject({ total_paid: '0.0000', owed: '108.0000' });
});

test('a payment is three round trips from the lock to the commit', async () => {
  const { orderId } = await aLayaway(fork());
  const connection = await orm.em.getConnection().getNativeClient();
  let statements = 0;
  const listen = (client: { query: (...given: unknown[]) => unknown }) => {
    const send = client.query.bind(client);
    client.query = (...given) => {
      statements++;
      return send(...given);
    };
  };
  connection.on('acquire', listen as never);
  await capturePayment(orm.em, aPayment(orderId, '10', { reference: 'count' }));
  connection.off('acquire', listen as never);
  // Begin, then lock, write, commit: no read of its own for what the indexes know.
  expect(statements).toBe(4);
});
