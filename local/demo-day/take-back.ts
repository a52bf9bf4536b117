import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { refundAttemptId } from '../../domain/refunds/refund-finding.ts';
import { resolveSignal } from '../../workflows/refunds/messages.ts';
import { refusedDomain } from '../mail-catcher.ts';
import type { OpenRegister } from './open-register.ts';
import { orderBody, type Selling } from './order-body.ts';
import { sell, type Sale } from './sell.ts';
import type { Json, Teller } from './teller.ts';

/** A return of one piece, received at the counter in the same call. */
export const returnBody = (register: OpenRegister, sale: Sale, refundMethod: string) => ({
  orderId: sale.orderId,
  items: JSON.stringify([
    {
      order_item_id: sale.itemId,
      qty_requested: 1,
      reason: 'Changed mind',
      condition: 'Unopened',
      resolution: 'Refund',
      inspected_condition: 'pristine',
    },
  ]),
  autoApprove: true,
  locationId: register.locationId,
  refundMethod,
  posSaleId: `demo-return-${sale.orderId}`,
});

const memoOf = (teller: Teller, rma: Json) =>
  teller.ask({
    method: 'GET',
    path: `/V1/creditmemo/${rma.credit_memo_id}`,
    means: ({ increment_id, grand_total }) => `Credit memo ${increment_id} over ${grand_total}.`,
  });

/** Cash: parked while the cashier counts it, then settled; a second settle changes nothing. */
export async function takeBackForCash(teller: Teller, register: OpenRegister, sale: Sale): Promise<Json> {
  teller.chapter('A return for cash');
  await teller.ask({
    method: 'POST',
    path: '/V1/pos/refunds/preview',
    body: { orderId: sale.orderId, items: JSON.stringify([{ order_item_id: sale.itemId, qty: 1 }]) },
    means: ({ handback, currency_code }) => `One piece would give back ${handback} ${currency_code}.`,
  });
  const parked = await teller.ask({
    method: 'POST',
    path: '/V1/pos/rma',
    body: returnBody(register, sale, 'cash'),
    means: ({ increment_id, status }) => `Return ${increment_id}: approved, received, restocked, ${status}.`,
  });
  const settled = await teller.ask({
    method: 'POST',
    path: `/V1/pos/rma/${parked.id}/settle`,
    body: { method: 'cash' },
    means: ({ status, base_refund_total }) =>
      `Settled in cash: ${base_refund_total} handed back, the return is ${status}.`,
  });
  await teller.ask({
    method: 'POST',
    path: `/V1/pos/rma/${parked.id}/settle`,
    body: { method: 'cash' },
    means: ({ credit_memo_increment_id }) =>
      `Pressed twice: still memo ${credit_memo_increment_id}, nothing booked again.`,
  });
  await memoOf(teller, settled);
  return settled;
}

/** Card: approved, refunded through the gateway and closed in one call. */
export async function takeBackToCard(teller: Teller, register: OpenRegister, sale: Sale): Promise<void> {
  teller.chapter('A return to the card, in one call');
  const body = returnBody(register, sale, 'original_payment');
  const rma = await teller.ask({
    method: 'POST',
    path: '/V1/pos/rma',
    body,
    means: ({ increment_id, status, base_handback }) =>
      `Return ${increment_id}: ${base_handback} went back to the card, ${status}.`,
  });
  await teller.ask({
    method: 'POST',
    path: '/V1/pos/rma',
    body,
    means: ({ id, reused }) => `The same sale sent again: return ${id}, reused ${reused}; nothing happened twice.`,
  });
  await memoOf(teller, rma);
}

/**
 * The gateway refunds, its answer is lost, and it cannot be asked: the refund is uncertain until an operator's signal
 * resolves it.
 */
export async function takeBackInDoubt(teller: Teller, register: OpenRegister, sale: Sale): Promise<void> {
  teller.chapter("A refund's answer is lost");
  const refused = await teller.ask({
    method: 'POST',
    path: '/V1/pos/rma',
    body: returnBody(register, sale, 'original_payment'),
    expect: 409,
    means: ({ parameters }) =>
      `${parameters.outcome}: it is not known whether attempt ${parameters.refund_attempt_id} went through.`,
  });
  const { return_id: rmaId, refund_attempt_id: attemptId } = refused.parameters;
  await teller.ask({
    method: 'POST',
    path: `/V1/pos/rma/${rmaId}/settle`,
    body: { method: 'cash' },
    expect: 409,
    means: ({ message }) => `Cash instead? ${message}`,
  });
  const { temporalUi, temporalNamespace } = teller.ready;
  teller.say(
    `The open question, for an operator: ${temporalUi}/namespaces/${temporalNamespace}/workflows/${refundAttemptId(attemptId)}`,
  );
  await signalRefunded(teller, attemptId);
  const closed = await teller.ask({
    method: 'GET',
    path: `/V1/pos/rma/${rmaId}`,
    means: ({ status, credit_memo_increment_id }) => `The return is ${status} with memo ${credit_memo_increment_id}.`,
  });
  teller.must(closed.status === 'closed', 'The signal did not close the return.');
  await oneMemoOneRefund(teller, sale);
}

/** What an operator does in the Temporal page: Send a Signal, `resolve`. */
async function signalRefunded(teller: Teller, attemptId: number): Promise<void> {
  const connection = await Connection.connect({ address: teller.ready.temporal });
  try {
    const client = new Client({ connection, namespace: teller.ready.temporalNamespace });
    const handle = client.workflow.getHandle(refundAttemptId(attemptId));
    const word = { resolution: 'refunded', staffName: 'Olga Operator', note: "seen in the gateway's portal" } as const;
    await handle.signal(resolveSignal, word);
    teller.say(`An operator looks into the gateway's portal and signals: ${JSON.stringify(word)}`);
    teller.say(`The workflow ends: ${String(await handle.result())}.`);
  } finally {
    await connection.close();
  }
}

async function oneMemoOneRefund(teller: Teller, sale: Sale): Promise<void> {
  const criteria = new URLSearchParams({
    'searchCriteria[filter_groups][0][filters][0][field]': 'order_id',
    'searchCriteria[filter_groups][0][filters][0][value]': String(sale.orderId),
  });
  const memos = await teller.ask({
    method: 'GET',
    path: `/V1/creditmemos?${criteria.toString()}`,
    means: ({ total_count }) => `Credit memos of the order: ${total_count}.`,
  });
  const rows: Json[] = await teller.askGateway({
    method: 'GET',
    path: '/refunds',
    means: (all: Json[]) => {
      const own = refundsOf(all, sale);
      return `The gateway's own ledger: ${own.length} refund of order ${sale.orderIncrementId}, ${own[0]?.amount ?? 'none'}.`;
    },
  });
  teller.must(memos.total_count === 1 && refundsOf(rows, sale).length === 1, 'Books and gateway do not agree.');
}

const refundsOf = (rows: Json[], sale: Sale): Json[] =>
  rows.filter((row) => row.order_reference === sale.orderIncrementId && row.state === 'refunded');

/** The gateway says no: the return stays parked, and cash settles it. */
export async function takeBackDeclined(teller: Teller, register: OpenRegister, sale: Sale): Promise<void> {
  teller.chapter('A refund is declined, then paid out in cash');
  const refused = await teller.ask({
    method: 'POST',
    path: '/V1/pos/rma',
    body: returnBody(register, sale, 'original_payment'),
    expect: 400,
    means: ({ message }) => message,
  });
  await teller.ask({
    method: 'POST',
    path: `/V1/pos/rma/${refused.parameters.return_id}/settle`,
    body: { method: 'cash' },
    means: ({ status, refund_method }) => `Settled by ${refund_method} instead: ${status}.`,
  });
}

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
