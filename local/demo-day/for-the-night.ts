import { randomUUID } from 'node:crypto';
import { refusedDomain } from '../mail-catcher.ts';
import type { OpenRegister } from './open-register.ts';
import { orderBody } from './order-body.ts';
import { sell } from './sell.ts';
import type { Selling } from './selling.ts';
import { returnBody } from './take-back.ts';
import type { Json, Teller } from './teller.ts';

/** What is left open in the evening, so that every page of the operator has something to show and to decide. */
export async function leaveForTheNight(
  teller: Teller,
  { register, product }: { register: OpenRegister; product: Json },
): Promise<void> {
  teller.chapter('What is left for the night: the operator’s page');
  const selling: Selling = { register, product, price: 18, qty: 1, payment: 'cash' };
  await leaveADoubt(teller, { ...selling, price: 31.73, payment: 'card' });
  await leaveAReturn(teller, selling);
  await leaveALayaway(teller, selling);
  await leaveAReceipt(teller, register);
  await leaveAMail(teller, selling);
  teller.say(`Decide them with a phone: ${teller.ready.api.replace(/\/rest$/, '/ops')}`);
}

async function leaveADoubt(teller: Teller, selling: Selling): Promise<void> {
  const sale = await sell(teller, selling);
  await teller.ask({
    method: 'POST',
    path: '/V1/pos/rma',
    body: returnBody(selling.register, sale, 'original_payment'),
    expect: 409,
    means: ({ parameters }) => `Attempt ${parameters.refund_attempt_id} stays in doubt.`,
  });
}

async function leaveAReturn(teller: Teller, selling: Selling): Promise<void> {
  const sale = await sell(teller, selling);
  await teller.ask({
    method: 'POST',
    path: '/V1/pos/rma',
    body: returnBody(selling.register, sale, 'cash'),
    means: ({ increment_id, status }) => `Return ${increment_id} is ${status}: its cash is not handed out yet.`,
  });
}

const dayMs = 86_400_000;

async function leaveALayaway(teller: Teller, selling: Selling): Promise<void> {
  const attributes = {
    pos_sale_id: randomUUID(),
    pos_layaway_status: 'open',
    pos_layaway_expires_at: new Date(Date.now() - 2 * dayMs).toISOString(),
  };
  const terms = { total: selling.price, paymentId: null, state: 'pending_payment', attributes } as const;
  await teller.ask({
    method: 'POST',
    path: '/V1/orders',
    body: { entity: orderBody(selling, terms) },
    means: ({ increment_id }) => `The time of layaway ${increment_id} was over two days ago.`,
  });
}

async function leaveAReceipt(teller: Teller, register: OpenRegister): Promise<void> {
  const { terminalId, locationId, staffId, staffName } = register;
  const saleId = randomUUID();
  await teller.ask({
    method: 'POST',
    path: '/V1/pos/receipts',
    body: {
      receipt: {
        ...{ sale_id: saleId, pos_order_id: saleId, terminal_id: terminalId, location_id: locationId },
        ...{ staff_id: staffId, staff_name: staffName, terminal_name: 'Demo register', location_name: 'High Street' },
        ...{ payment_method: 'cash', currency: 'USD' },
        ...{ subtotal: 7, tax_amount: 0, grand_total: 7, items: [] },
      },
    },
    means: ({ receipt_id }) => `Receipt ${receipt_id} is here, and its order stays in the register's queue.`,
  });
}

async function leaveAMail(teller: Teller, selling: Selling): Promise<void> {
  const terms = { total: selling.price, paymentId: null, attributes: { pos_sale_id: randomUUID() } };
  const entity = { ...orderBody(selling, terms), customer_email: `gone@${refusedDomain}` };
  const order = await teller.ask({
    method: 'POST',
    path: '/V1/orders',
    body: { entity },
    means: ({ increment_id }) => `Order ${increment_id} is of somebody whose mailbox is gone.`,
  });
  await teller.ask({
    method: 'POST',
    path: `/V1/orders/${order.entity_id}/emails`,
    as: 'admin',
    body: {},
    means: () => 'Its mail is taken on, and the mail server will refuse it.',
  });
}
