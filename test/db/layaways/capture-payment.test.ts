import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { cancelLayaway } from '../../../db/layaways/cancel-layaway.ts';
import { capturePayment, type LayawayPayment } from '../../../db/layaways/capture-payment.ts';
import { flagStale, flagStaleBatch } from '../../../db/layaways/flag-stale.ts';
import { createOrm } from '../../../db/orm.ts';
import { verify } from '../../../books/verify/verify.ts';
import { PosError } from '../../../domain/errors.ts';
import { money } from '../../../domain/money/amount.ts';
import { aCancellation, aLayaway, aPayment } from '../../support/builders/layaway.ts';
import { aGiftCard } from '../../support/builders/gift-card.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabaseUrl } from '../../support/database.ts';

let orm: MikroORM;
/** A second process of the service. */
let other: MikroORM;
const deadlocks: string[] = [];

beforeAll(async () => {
  const url = await testDatabaseUrl();
  [orm, other] = await Promise.all([createOrm(url), createOrm(url)]);
  await aShop(orm.em.fork());
});
afterAll(async () => {
  expect(deadlocks).toEqual([]);
  await Promise.all([orm.close(), other.close()]);
});

const fork = () => orm.em.fork();
const rows = <Row extends object>(sql: string, values: unknown[]) => fork().execute<Row[]>(sql, values);
const one = async (sql: string, orderId: number) => (await rows<Record<string, unknown>>(sql, [orderId]))[0];
const stands = (orderId: number) =>
  one(
    `select o.state, o.pos_layaway_status as status, o.total_paid, o.base_total_paid, o.total_due,
       o.pos_layaway_balance_owed as owed, o.pos_layaway_deposit_amount as deposit,
       o.pos_layaway_initial_payment_method as method, p.amount_paid, i.state as invoice
     from sales_order o join sales_order_payment p on p.order_id = o.entity_id
       join sales_invoice i on i.order_id = o.entity_id where o.entity_id = ?`,
    orderId,
  );
const payments = (orderId: number) =>
  rows<{ reference: string | null; amount: string }>(
    `select reference, amount from sales_money_in where order_id = ? and kind = 'layaway_capture' order by money_in_id`,
    [orderId],
  );
const history = async (orderId: number) =>
  (
    await rows<{ comment: string }>(
      'select comment from sales_order_status_history where parent_id = ? order by entity_id',
      [orderId],
    )
  ).map(({ comment }) => comment);
const booksHold = async () => expect(await verify(fork(), { lookAgainAfterMs: 1 })).toEqual([]);

/** At once, in turn from two processes; a refusal is an answer like any other, a deadlock is none. */
const atOnce = <Answer>(count: number, work: (em: MikroORM['em'], at: number) => Promise<Answer>) =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => {
      try {
        return await work((at % 2 === 0 ? orm : other).em, at);
      } catch (error) {
        if (error instanceof PosError) return error.message;
        deadlocks.push(String(error));
        throw error;
      }
    }),
  );
const refusalsIn = (answers: readonly unknown[]) => answers.filter((answer) => typeof answer === 'string');

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
  expect(await history(orderId)).toEqual([
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

test('money taken when nothing is owed is told in the history, once per step, and not booked', async () => {
  const { orderId } = await aLayaway(fork());
  await capturePayment(orm.em, aPayment(orderId, '108'));
  const late = aPayment(orderId, '10', { reference: 'late' });

  for (const payment of [late, late]) await capturePayment(orm.em, payment);

  expect(await payments(orderId)).toHaveLength(1);
  expect((await history(orderId)).filter((line) => line.includes('late'))).toEqual([
    'Layaway payment by cash, reference late: $10.00 was requested, $0.00 was booked, which is all that was owed. Balance owed: $0.00.',
  ]);
});

test.each([
  ['nothing', '0', 400],
  ['less than nothing', '-10', 400],
])('%s is refused and leaves nothing', async (_case, amount, status) => {
  const { orderId } = await aLayaway(fork());
  await expect(capturePayment(orm.em, aPayment(orderId, amount))).rejects.toMatchObject({ status });
  expect(await history(orderId)).toEqual(['The order was placed.']);
});

test('an order nobody knows is 404, one that is no layaway 400', async () => {
  const { aPlainOrder } = { aPlainOrder: await aLayaway(fork(), { layaway: false }) };
  await expect(capturePayment(orm.em, aPayment(999_999, '10'))).rejects.toMatchObject({ status: 404 });
  await expect(capturePayment(orm.em, aPayment(aPlainOrder.orderId, '10'))).rejects.toMatchObject({
    status: 400,
    message: 'The order is not a layaway.',
  });
});

test('a payment that fails half-way leaves nothing', async () => {
  const { orderId } = await aLayaway(fork());
  await fork().execute(`create function refuse_history() returns trigger language plpgsql as $$ begin
    raise exception 'disk full'; end $$`);
  await fork().execute(
    `create trigger refuse_history before insert on sales_order_status_history for each row execute function refuse_history()`,
  );
  try {
    await expect(capturePayment(orm.em, aPayment(orderId, '10'))).rejects.toThrow('disk full');
  } finally {
    await fork().execute('drop trigger refuse_history on sales_order_status_history');
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
  // Begin, then lock, write, commit: nobody waits for a look of its own at what the indexes know.
  expect(statements).toBe(4);
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
    expect(await rows('select 1 from sales_creditmemo where order_id = ?', [orderId])).toHaveLength(1);
    expect((await history(orderId)).filter((line) => line.includes('overdue')).length).toBeLessThanOrEqual(1);
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
