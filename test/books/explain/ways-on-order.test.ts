import { expect, test } from 'vitest';
import { explainOrder } from '../../../books/explain/explain-order.ts';
import { aLayaway, anOrderOnCredit } from '../../support/builders/layaway.ts';
import { anOrder } from '../../support/builders/order.ts';
import { booksOf } from '../../support/books.ts';
import { opensAShop, orm } from '../../support/order-book.ts';

opensAShop();

const { invoicesOf, fork, change, insert } = booksOf(() => orm);
const invoiceOf = async (orderId: number) => (await invoicesOf(orderId, 'entity_id'))[0]!.entity_id;
const story = (orderId: number) => explainOrder(fork(), String(orderId));
const waysOn = async (orderId: number) => (await story(orderId)).next;

const theWrap = { sku: 'WRAP', qty: 1, price: '5', isVirtual: true };

test('what is left to be paid and handed over is told with the requests that do it', async () => {
  const { orderId } = await anOrder(fork(), { paid: false, shipped: false });

  expect(await waysOn(orderId)).toEqual([
    `Take the 108.00 USD still to be paid: POST /V1/order/${orderId}/invoice.`,
    `Hand over 2 × MUG: POST /V1/order/${orderId}/ship.`,
  ]);
});

test('virtual goods are never handed over', async () => {
  const wrapped = await anOrder(fork(), {
    lines: [theWrap, { sku: 'MUG', qty: 1.5, price: '50', isQtyDecimal: true }],
    shipped: false,
  });
  const { orderId } = await anOrder(fork(), { lines: [theWrap], shipped: false });

  expect(await waysOn(wrapped.orderId)).toEqual([`Hand over 1.5 × MUG: POST /V1/order/${wrapped.orderId}/ship.`]);
  expect(await waysOn(orderId)).toEqual(['Nothing needs to be done.']);
});

test.each([
  ['holded', 'POST /V1/orders/'],
  ['payment_review', 'under review'],
])('no step says to pay or to hand over an order that is %s: both would be refused', async (state, why) => {
  const { orderId } = await anOrder(fork(), { paid: false, shipped: false });
  await change('sales_order', { entity_id: orderId }, { state, status: state });

  expect(await waysOn(orderId)).toEqual([expect.stringContaining(why)]);
});

test('an open invoice is paid, no second one is made', async () => {
  const { orderId } = await anOrderOnCredit(fork(), '108');
  await change('sales_order', { entity_id: orderId }, { pos_credit_due: null });
  await change('sales_invoice', { order_id: orderId }, { state: 1 });
  const invoiceId = await invoiceOf(orderId);

  const ways = await waysOn(orderId);

  expect(ways).toContainEqual(expect.stringMatching(`108.00 USD.*: POST /V1/invoices/${invoiceId}/capture`));
  expect(ways.join()).not.toContain(`/V1/order/${orderId}/invoice`);
});

test('what no invoice can take is not asked for', async () => {
  const { orderId } = await anOrder(fork());
  await change('sales_order', { entity_id: orderId }, { total_paid: 100, base_total_paid: 100 });

  expect(await waysOn(orderId)).toEqual(['Nothing needs to be done.']);
});

test('an uncertain refund without a return waits for an operator', async () => {
  const { orderId } = await anOrder(fork());
  const { attempt_id: id } = await insert('refund_attempt', {
    ...{ order_id: orderId, payment_method: 'provider_a', channel: 'original', state: 'uncertain' },
    ...{ base_amount: 54, amount: 54, base_credited: 0, credited: 0, currency_code: 'USD' },
    ...{ idempotency_key: 'process-1-54', plan: '{}', created_at: new Date(), updated_at: new Date() },
  });

  const ways = (await waysOn(orderId)).join('\n');

  expect(ways).toContain(`Refund attempt ${id}: Ask the gateway again: npm run pos -- refunds reconcile ${id}`);
  expect(ways).not.toMatch(/Nothing waits|of this return/);
});

test('a run that was refused says why, with what it was refused for', async () => {
  const { orderId } = await anOrder(fork());
  await insert('return_process', {
    order_id: orderId,
    request_key: 'sale-7',
    resolution: 'refund',
    is_online: false,
    state: 'refused',
    refusal: '{"status":400,"message":"No customer has the id %1.","parameters":[77]}',
  });

  expect((await story(orderId)).events.map(({ what }) => what)).toContainEqual(
    expect.stringContaining('ended refused: "No customer has the id 77."'),
  );
});

test('a layaway that owes nothing asks for no payment and no cancellation, whatever its status says', async () => {
  const { orderId } = await aLayaway(fork(), { expiresAt: new Date('2027-01-31T00:00:00Z') });
  await change('sales_order', { entity_id: orderId }, { total_paid: 108, base_total_paid: 108 });
  const invoiceId = await invoiceOf(orderId);

  const { facts, next } = await story(orderId);

  expect(facts).toContain('A layaway, open: paid in full.');
  expect(next).toEqual([
    `Settle it: its open invoice is paid by POST /V1/invoices/${invoiceId}/capture.`,
    expect.stringContaining('Hand over'),
  ]);
});
