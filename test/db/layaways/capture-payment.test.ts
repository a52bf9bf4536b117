import { describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { cancelLayaway } from '../../../db/layaways/cancel-layaway.ts';
import {
  capturePayment,
  flagStale,
  flagStaleBatch,
  type LayawayPayment,
} from '../../../db/layaways/capture-payment.ts';
import { payInvoice } from '../../../db/platform/invoices/invoices.ts';
import { createShipment } from '../../../db/platform/shipments/shipments.ts';
import { claimRefundCall } from '../../../db/refunds/refund-intent.ts';
import { createReturn, initialiseReturn } from '../../../db/returns/create-return.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { money, pieces } from '../../../domain/money.ts';
import { canRefundThrough } from '../../../providers/gateways/payment-gateway.ts';
import { booksOf } from '../../support/books.ts';
import { aGiftCard } from '../../support/builders/gift-card.ts';
import { aCancellation, aLayaway, aPayment } from '../../support/builders/layaway.ts';
import { anItem } from '../../support/builders/return.ts';
import { rivalsOf } from '../../support/rivals.ts';
import { opensAShop, orm, other, payments, stands } from './layaway-payments.ts';
import { firstId } from '../../support/first-id.ts';

describe('capture payment', () => {
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
    const came = {
      totalPaid: money('50'),
      posLayawayDepositAmount: money('50'),
      posLayawayInitialPaymentMethod: 'card',
    };
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
      'Layaway payment by cash: $100.00 was requested, $48.00 was booked, which is all that was owed. Balance ' +
        'owed: $0.00.',
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
      'Layaway payment by cash, reference late: $10.00 was requested, $0.00 was booked, which is all that was ' +
        'owed. Balance owed: $0.00.',
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
});

describe('layaway by card', () => {
  opensAShop();

  const { fork, invoicesOf, paymentsOf, linesOf, attemptsOf, find, booksHold } = booksOf(() => orm);

  /** The gateway refunds by this method; its payments can be tracked by their references. */
  const byCard = (method: string) => method === 'provider_a';
  const card = (reference: string) => ({ paymentMethod: 'provider_a', reference });

  /** Two mugs at 54, paid as given, settled and handed over. */
  async function paidLayaway(method: string, payments: readonly (readonly [sum: string, by: object])[]) {
    const { orderId } = await aLayaway(fork(), { method });
    for (const [sum, by] of payments) await capturePayment(orm.em, aPayment(orderId, sum, by));
    const [invoice] = await invoicesOf(orderId, 'entity_id');
    await payInvoice(orm.em, Number(invoice!.entity_id));
    await createShipment(fork(), { orderId });
    return orderId;
  }

  let returns = 0;
  async function returnByCard(orderId: number, count: number) {
    const [line] = await linesOf(orderId, 'item_id');
    const { returnId } = await createReturn(orm.em, {
      ...{ orderId, customerId: null, locationId: firstId, comment: null, isAutoApproved: true },
      posSaleId: `layaway-return-${++returns}`,
      items: [{ ...anItem(line!.item_id), qtyRequested: pieces(count) }],
      refundMethod: 'original_payment',
    });
    const { attempt } = await initialiseReturn(orm.em, { returnId, canRefundThrough: byCard, isAsked: true });
    return attempt!.attemptId;
  }

  async function book(attemptId: number): Promise<void> {
    await claimRefundCall(fork(), { attemptId, timeoutSeconds: 20 });
    const finding = { evidence: 'refunded', gatewayReference: `gateway-${attemptId}` } as const;
    await recordFinding(orm.em, { attemptId, finding, now: new Date() });
  }

  const referencesOf = async (orderId: number) =>
    (await find('refund_attempt', { order_id: orderId }, 'payment_method', 'payment_reference', 'amount')).map(
      (one) => [one['payment_method'], one['payment_reference'], Number(one['amount'])],
    );

  test('the card that paid a layaway is its transaction, and gets the money back', async () => {
    const orderId = await paidLayaway('provider_a', [['108', card('pay_1')]]);
    expect(await paymentsOf(orderId, 'last_trans_id')).toEqual([{ last_trans_id: 'pay_1' }]);
    await book(await returnByCard(orderId, 2));
    expect(await referencesOf(orderId)).toEqual([['provider_a', 'pay_1', 108]]);
    await booksHold();
  });

  test('the receipt number of a payment in cash is no transaction', async () => {
    const cash = { paymentMethod: 'cashondelivery', reference: 'R-1' };
    const orderId = await paidLayaway('cashondelivery', [['108', cash]]);
    expect(await paymentsOf(orderId, 'last_trans_id')).toEqual([{ last_trans_id: null }]);
  });

  test('a layaway that was placed with another way of paying goes back to the card that paid it', async () => {
    const orderId = await paidLayaway('checkmo', [['108', card('pay_2')]]);
    const attemptId = await returnByCard(orderId, 1);
    expect(await claimRefundCall(fork(), { attemptId, timeoutSeconds: 20 })).toMatchObject({
      ...{ paymentMethod: 'provider_a', paymentReference: 'pay_2', capturedAmount: money('108') },
    });
    await book(attemptId);
    expect(await find('sales_payment_transaction', { order_id: orderId }, 'txn_type', 'parent_txn_id')).toEqual([
      { txn_type: 'refund', parent_txn_id: 'pay_2' },
    ]);
    await booksHold();
  });

  test('each of several cards takes back what it paid, and no card more', async () => {
    const orderId = await paidLayaway('provider_a', [
      ['54', card('pay_3')],
      ['54', card('pay_4')],
    ]);
    await expect(returnByCard(orderId, 2)).rejects.toMatchObject({
      status: 400,
      message:
        'No card took as much as 108 of this layaway. They can take back: "pay_3" by "provider_a" 54, "pay_4" by ' +
        '"provider_a" 54. Settle with tenders: each gives its part back.',
      parameters: { outcome: 'card_took_less', card_took: '54', card_left: '54' },
    });
    const again = await paidLayaway('provider_a', [
      ['54', card('pay_5')],
      ['54', card('pay_6')],
    ]);
    for (const reference of ['pay_5', 'pay_6']) {
      const attemptId = await returnByCard(again, 1);
      expect(await claimRefundCall(fork(), { attemptId, timeoutSeconds: 20 })).toMatchObject({
        ...{ paymentReference: reference, amount: money('54'), capturedAmount: money('54') },
      });
      await book(attemptId);
    }
    expect(await referencesOf(again)).toEqual([
      ['provider_a', 'pay_5', 54],
      ['provider_a', 'pay_6', 54],
    ]);
    await booksHold();
  });

  test('a card that paid the rest after cash takes back no more than that', async () => {
    const orderId = await paidLayaway('provider_a', [
      ['40', { paymentMethod: 'cash', reference: 'R-2' }],
      ['68', card('pay_7')],
    ]);
    await expect(returnByCard(orderId, 2)).rejects.toMatchObject({ parameters: { outcome: 'card_took_less' } });
    expect(await attemptsOf(orderId, 'attempt_id')).toEqual([]);
  });

  test('a gateway is asked for each way in which a layaway was paid', async () => {
    const gateways = {
      for: ({ paymentMethod }: { paymentMethod: string }) =>
        Promise.resolve(
          byCard(paymentMethod) ? { canTrack: (reference: string | null) => reference !== null } : undefined,
        ),
    } as unknown as Parameters<typeof canRefundThrough>[0];
    const payment = { paymentMethod: 'checkmo', paymentReference: null, storeId: 1 };
    const isRefundable = await canRefundThrough(gateways, {
      ...payment,
      captures: [{ method: 'provider_a', reference: 'pay_8' }],
    });
    expect(['provider_a', 'checkmo', 'cash'].map(isRefundable)).toEqual([true, false, false]);
    expect((await canRefundThrough(gateways, payment))('provider_a')).toBe(false);
  });
});

describe('payments again and at once', () => {
  opensAShop();

  const { memosOf, storyOf, fork, booksHold } = booksOf(() => orm);

  const atOnce = rivalsOf(() => [orm, other]);
  const refusalsIn = (answers: readonly unknown[]) => answers.filter((answer) => typeof answer === 'string');

  describe('the same payment again', () => {
    test.each([
      '12',
      ' 12',
      '1',
      '🧾 Nr. 7',
      `${'9'.repeat(255)}`,
      'invoice-000000001',
      "'; drop table sales_order; --",
    ])('under the reference %j books nothing', async (reference) => {
      const { orderId } = await aLayaway(fork());
      await capturePayment(orm.em, aPayment(orderId, '10', { reference }));
      await capturePayment(orm.em, aPayment(orderId, '99', { reference, paymentMethod: 'terminal' }));
      expect(await payments(orderId)).toEqual([{ reference, amount: '10.0000' }]);
    });

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
});
