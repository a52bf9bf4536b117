import { randomUUID } from 'node:crypto';
import { credentials } from '../demo-shop/stores.ts';
import type { OpenRegister } from './open-register.ts';
import { findCustomer, orderBody, type Customer, type Selling } from './order-body.ts';
import { payByCard, sell, type Sale } from './sell.ts';
import { returnBody } from './take-back.ts';
import type { Json, Teller } from './teller.ts';

/** Payment over time: a layaway that is paid off, one that is cancelled with a fee, and a sale on credit. */
export async function layawayDay(
  teller: Teller,
  { register, product }: { register: OpenRegister; product: Json },
): Promise<{ orderId: number }> {
  const selling: Selling = { register, product, price: 60, qty: 1, payment: 'cash' };
  const paidOff = await payOff(teller, selling);
  await giveUp(teller, selling);
  await collectDue(teller, { ...selling, price: 45 });
  return paidOff;
}

async function payOff(teller: Teller, selling: Selling): Promise<{ orderId: number }> {
  teller.chapter('A layaway is paid off');
  const layaway = await layAway(teller, selling);
  const terminalReference = await payByCard(teller, `layaway-${layaway.entity_id}`, 20);
  const deposit = { amount: 20, paymentMethod: selling.register.cardMethod, reference: terminalReference };
  await capture(teller, layaway, deposit);
  const topUp = { amount: 15, paymentMethod: 'cash', reference: `till-${randomUUID()}` };
  await capture(teller, layaway, topUp);
  const repeated = await capture(teller, layaway, deposit, 'The terminal sends the same payment again: ');
  teller.must(repeated.total_captured === 35, 'A reference was booked twice.');
  const last = await capture(teller, layaway, { amount: 30, paymentMethod: 'cash', reference: `till-${randomUUID()}` });
  teller.must(last.status === 'ready_to_settle' && last.total_captured === 60, 'More than the price was booked.');
  const invoices = await teller.ask({
    method: 'GET',
    path: `/V1/invoices?${orderFilter(layaway.entity_id)}`,
    means: ({ items }) => `Its invoice ${items[0].increment_id} is open since it was placed.`,
  });
  await teller.ask({
    method: 'POST',
    path: `/V1/invoices/${invoices.items[0].entity_id}/capture`,
    body: {},
    means: (isPaid) => `Settled: the invoice is marked paid (${isPaid}), no money counted twice.`,
  });
  await teller.ask({
    method: 'POST',
    path: `/V1/order/${layaway.entity_id}/ship`,
    body: {},
    means: () => 'Handed over: the order is complete.',
  });
  return { orderId: layaway.entity_id };
}

async function giveUp(teller: Teller, selling: Selling): Promise<void> {
  teller.chapter('A layaway is cancelled, with a fee of a fifth');
  const layaway = await layAway(teller, selling);
  await capture(teller, layaway, { amount: 20, paymentMethod: 'cash', reference: `till-${randomUUID()}` });
  const cancel = (expect: number, means: (body: Json) => string) =>
    teller.ask({
      method: 'POST',
      path: `/V1/pos/layaways/${layaway.entity_id}/cancel`,
      body: { feePercent: 20, reason: 'changed plans' },
      expect,
      means,
    });
  const cancelled = await cancel(
    200,
    ({ status, cancellation_fee, refund_amount, refund_method, credit_memo_increment_id }) =>
      `${status}: ${cancellation_fee} kept, ${refund_amount} to hand back by ${refund_method}, memo ${credit_memo_increment_id}.`,
  );
  teller.must(cancelled.refund_amount === 16, 'The fee is wrong.');
  await cancel(400, ({ message }) => `Again: ${message}`);
}

/** Goods on credit: the amount due is collected later, under the terminal's own reference. */
async function collectDue(teller: Teller, selling: Selling): Promise<void> {
  teller.chapter('Credit that is due is collected');
  const order = await teller.ask({
    method: 'POST',
    path: '/V1/orders',
    body: {
      entity: orderBody(selling, {
        total: selling.price,
        paymentId: null,
        attributes: { pos_sale_id: randomUUID(), pos_credit_due: selling.price },
      }),
    },
    means: ({ increment_id }) => `Order ${increment_id} is sold on credit: ${selling.price} due.`,
  });
  const pay = (body: Json) =>
    teller.ask({
      method: 'POST',
      path: `/V1/pos/orders/${order.entity_id}/due-payments`,
      body,
      means: ({ amount, is_replay, remaining_due, is_invoice_paid }) =>
        `${is_replay ? 'Sent again, booked once' : 'Booked'}: ${amount}; ${remaining_due} still due, invoice paid: ${is_invoice_paid}.`,
    });
  const first = { amount: 20, reference: `till-${randomUUID()}` };
  await pay(first);
  const replay = await pay(first);
  teller.must(replay.is_replay === true && replay.remaining_due === 25, 'A reference was booked twice.');
  await pay({ amount: 25, reference: `till-${randomUUID()}` });
}

const layAway = (teller: Teller, selling: Selling) =>
  teller.ask({
    method: 'POST',
    path: '/V1/orders',
    body: {
      entity: orderBody(selling, {
        total: selling.price,
        paymentId: null,
        state: 'pending_payment',
        attributes: {
          pos_sale_id: randomUUID(),
          pos_layaway_status: 'open',
          pos_layaway_expires_at: new Date(Date.now() + thirtyDays).toISOString(),
        },
      }),
    },
    means: ({ increment_id }) => `Order ${increment_id} is laid away; its goods are promised.`,
  });

const thirtyDays = 30 * 86_400_000;

const capture = (
  teller: Teller,
  layaway: Json,
  payment: { amount: number; paymentMethod: string; reference: string },
  before = '',
) =>
  teller.ask({
    method: 'POST',
    path: `/V1/pos/layaways/${layaway.entity_id}/payments`,
    body: payment,
    means: ({ total_captured, balance_owed, status }) =>
      `${before}${total_captured} paid, ${balance_owed} owed, ${status}.`,
  });

const orderFilter = (orderId: number) =>
  new URLSearchParams({
    'searchCriteria[filter_groups][0][filters][0][field]': 'order_id',
    'searchCriteria[filter_groups][0][filters][0][value]': String(orderId),
  }).toString();

/** A customer's credit, spent and given back: store credit together with a card, and a gift card alone. */
export async function creditDay(
  teller: Teller,
  { register, product }: { register: OpenRegister; product: Json },
): Promise<void> {
  teller.chapter('A customer with store credit');
  const customer = await findCustomer(teller, credentials.customers[0].email);
  await payWithStoreCredit(teller, { register, product, customer });
  await payWithGiftCard(teller, { register, product, customer });
}

interface Purchase {
  register: OpenRegister;
  product: Json;
  customer: Customer;
}

const balanceOf = (teller: Teller, { id }: Customer) =>
  teller.ask({
    method: 'GET',
    path: `/V1/pos/credits/balance/${id}`,
    means: (rows) =>
      rows.length === 0 ? 'Nothing.' : rows.map((row: Json) => `${row.label}: ${row.balance}`).join(', '),
  });

/** Ten of thirty come from the wallet, the rest by card; the refund takes the same two ways back. */
async function payWithStoreCredit(teller: Teller, { register, product, customer }: Purchase): Promise<void> {
  const before = await balanceOf(teller, customer);
  const price = 30;
  await teller.ask({
    method: 'POST',
    path: '/V1/pos/credits/applicable',
    body: {
      credit_type: 'store_credit',
      customer_id: customer.id,
      store_id: 1,
      subtotal: price,
      subtotal_incl_tax: price,
      grand_total: price,
      lines: [{ sku: product.sku, qty: 1, row_total: price, row_total_incl_tax: price, discount_amount: 0 }],
    },
    means: ({ outcome, applies_as, max_amount }) => `${outcome}: up to ${max_amount} of it as ${applies_as}.`,
  });
  const credits = [{ credit_type: 'store_credit', amount: 10 }];
  const sale = await sell(teller, { register, product, price, qty: 1, payment: 'card', customer, credits });
  await balanceOf(teller, customer);
  await previewLegs(teller, sale);
  const rma = await teller.ask({
    method: 'POST',
    path: '/V1/pos/rma',
    body: returnBody(register, sale, 'original_payment'),
    means: ({ status, base_refund_total, base_handback, refund_legs }) =>
      `${status}: ${base_refund_total} in all, ${base_handback} to the card, ${legsOf(refund_legs)}.`,
  });
  const after = await balanceOf(teller, customer);
  teller.must(rma.base_handback === 20, 'The card did not get its share.');
  teller.must(storeCredit(before) === storeCredit(after), 'The wallet did not get its share back.');
}

const previewLegs = (teller: Teller, sale: Sale) =>
  teller.ask({
    method: 'POST',
    path: '/V1/pos/refunds/preview',
    body: { orderId: sale.orderId, items: JSON.stringify([{ order_item_id: sale.itemId, qty: 1 }]) },
    means: ({ handback, legs }) => `It would give back ${handback} to the card and ${legsOf(legs)}.`,
  });

/** A gift card pays everything: no cash is given back, and the money returns to the card. */
async function payWithGiftCard(teller: Teller, { register, product, customer }: Purchase): Promise<void> {
  teller.chapter('A gift card pays a sale, and gets it back');
  const { code } = credentials.giftCard;
  const readBalance = () =>
    teller.ask({
      method: 'GET',
      path: `/V1/pos/credits/giftcard/${encodeURIComponent(code)}`,
      means: ({ balance, currency }) => `The card has ${balance} ${currency}.`,
    });
  const before = await readBalance();
  const credits = [{ credit_type: 'gift_card', code, amount: 15 }];
  const sale = await sell(teller, { register, product, price: 15, qty: 1, payment: 'cash', customer, credits });
  await readBalance();
  const parked = await teller.ask({
    method: 'POST',
    path: '/V1/pos/rma',
    body: returnBody(register, sale, 'cash'),
    means: ({ increment_id, status }) => `Return ${increment_id}: ${status}.`,
  });
  await teller.ask({
    method: 'POST',
    path: `/V1/pos/rma/${parked.id}/settle`,
    body: { method: 'cash' },
    means: ({ status, base_handback, refund_legs }) =>
      `${status}: ${base_handback} from the drawer, ${legsOf(refund_legs)}.`,
  });
  const after = await readBalance();
  teller.must(before.balance === after.balance, 'The gift card did not get its money back.');
}

const legsOf = (legs: Json[]) =>
  legs.map(({ kind, amount }) => `${amount} to ${String(kind).replace('_', ' ')}`).join(', ');

const storeCredit = (rows: Json[]) => rows.find(({ type }) => type === 'store_credit')?.balance;
