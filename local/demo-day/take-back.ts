import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { refundAttemptId } from '../../domain/refunds/refund-finding.ts';
import { resolveSignal } from '../../workflows/refunds/messages.ts';
import { criteria } from '../../client/criteria.ts';
import type { Made, TakeBack, TakenBack } from '../../client/register.ts';
import { valueOf } from '../../client/results.ts';
import { cash, orderStep } from '../../client/sale.ts';
import { modelOf } from '../../client/sale-model.ts';
import { credentials } from '../demo-shop/stores.ts';
import { refusedDomain } from '../mail-catcher.ts';
import { sell, type Sale } from './sell.ts';
import { DayWentWrong, type Json, type Teller } from './teller.ts';
import { findCustomer, lineOf, mustBe, priceOf, totalOf, type Selling, type OpenRegister } from './till.ts';

/** One piece comes back, received at the counter in the same call; the client settles what is no card. */
export const takeOneBack = (
  { till }: OpenRegister,
  { orderId, itemId }: Sale,
  method: TakeBack['method'],
): Promise<Made<TakenBack>> =>
  till.register.takeBack({
    ...{ orderId, method, returnSaleId: `demo-return-${orderId}` },
    lines: [{ itemId, qty: 1 }],
  });

/** The same, for a return that is not settled at once. */
const returnBody = (register: OpenRegister, sale: Sale, refundMethod: string) => ({
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

const memoOf = async (teller: Teller, { returnId }: TakenBack): Promise<Json> => {
  const rma = await teller.ask({
    method: 'GET',
    path: `/V1/pos/rma/${returnId}`,
    means: ({ status, reused, credit_memo_increment_id: memo }) => `${status}, with memo ${memo}; reused: ${reused}.`,
  });
  await teller.ask({
    method: 'GET',
    path: `/V1/creditmemo/${rma.credit_memo_id}`,
    means: ({ increment_id, grand_total }) => `Credit memo ${increment_id} over ${grand_total}.`,
  });
  return rma;
};

/** Cash: parked while the cashier counts it, then settled; a second settle changes nothing. */
export async function takeBackForCash(teller: Teller, register: OpenRegister, sale: Sale): Promise<Json> {
  teller.chapter('A return for cash');
  await teller.ask({
    method: 'POST',
    path: '/V1/pos/refunds/preview',
    body: { orderId: sale.orderId, items: JSON.stringify([{ order_item_id: sale.itemId, qty: 1 }]) },
    means: ({ handback, currency_code }) => `One piece would give back ${handback} ${currency_code}.`,
  });
  const back = mustBe(await takeOneBack(register, sale, 'cash'));
  teller.say('Pressed twice:');
  const again = mustBe(await register.till.register.settle(back.returnId, { method: 'cash' }));
  teller.must(again.status === 'closed' && again.baseHandback === back.baseHandback, 'It was settled twice.');
  return memoOf(teller, back);
}

/** Card: approved, refunded through the gateway and closed in one call. */
export async function takeBackToCard(teller: Teller, register: OpenRegister, sale: Sale): Promise<void> {
  teller.chapter('A return to the card, in one call');
  const back = mustBe(await takeOneBack(register, sale, 'original_payment'));
  teller.say('The register lost its queue, and sends the same sale again:');
  const again = mustBe(await takeOneBack(register, sale, 'original_payment'));
  teller.must(again.returnId === back.returnId, 'One sale has two returns.');
  await memoOf(teller, back);
}

/**
 * The gateway refunds, its answer is lost, and it cannot be asked: the refund is uncertain until an operator's signal
 * resolves it.
 */
export async function takeBackInDoubt(teller: Teller, register: OpenRegister, sale: Sale): Promise<void> {
  teller.chapter("A refund's answer is lost");
  const made = await takeOneBack(register, sale, 'original_payment');
  if (made.kind !== 'uncertain') throw new DayWentWrong(`Nothing is in doubt: ${JSON.stringify(made)}`);
  const rmaId = made.returnId;
  const attemptId = Number(made.refundAttemptId);
  teller.say(`The client says "${made.kind}": nothing is handed out, and the job stays in its queue.`);
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
  await register.till.outbox.send();
  teller.must((await register.till.outbox.jobs()).length === 0, 'The job did not end with the doubt.');
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
  const query = criteria().where('order_id', sale.orderId).fields('total_count').query();
  const memos = valueOf(await teller.client.get('/V1/creditmemos', { query }));
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
  const made = await takeOneBack(register, sale, 'original_payment');
  if (made.kind !== 'refused') throw new DayWentWrong(`It was not declined: ${JSON.stringify(made)}`);
  const { outbox, register: till } = register.till;
  teller.say('The job is a conflict: a person drops it, and settles the return that the refusal names.');
  for (const { seq, conflict } of await outbox.jobs()) if (conflict) await outbox.drop(seq);
  const { return_id: returnId } = Object(made.parameters);
  mustBe(await till.settle(Number(returnId), { method: 'cash' }));
}

/** What is left open in the evening, so that every page of the operator has something to show and to decide. */
export async function leaveForTheNight(
  teller: Teller,
  { register, product }: { register: OpenRegister; product: Json },
): Promise<void> {
  teller.chapter('What is left for the night: the operator’s page');
  const selling: Selling = { register, product, price: 18, qty: 1, payment: 'cash' };
  await leaveAReturn(teller, selling);
  await leaveALayaway(teller, selling);
  await leaveAReceipt(teller, register);
  await leaveAMail(teller, selling);
  // Last: the queue asks again what is in doubt before it sends anything else.
  await leaveADoubt(teller, { ...selling, price: priceOf(register, product, 31.73), payment: 'card' });
  teller.say(`Decide them with a phone: ${teller.ready.api.replace(/\/rest$/, '/ops')}`);
}

async function leaveADoubt(teller: Teller, selling: Selling): Promise<void> {
  const sale = await sell(teller, selling);
  const made = await takeOneBack(selling.register, sale, 'original_payment');
  teller.must(made.kind === 'uncertain', 'It is known what became of the refund.');
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

/** With the receipt of its deposit: by that the page knows the shop, and whom to call. */
async function leaveALayaway(teller: Teller, selling: Selling): Promise<void> {
  const { place, outbox } = selling.register.till;
  const expiresAt = new Date(Date.now() - 2 * dayMs).toISOString();
  const [, walter] = credentials.customers;
  const buyer = await findCustomer(teller, walter.email);
  const sale = { saleId: randomUUID(), lines: [lineOf(selling)], payment: cash, buyer };
  const total = totalOf(selling);
  await teller.ask({
    method: 'POST',
    path: '/V1/pos/receipts',
    body: receiptBody(selling.register, {
      ...{ saleId: sale.saleId, sum: total },
      ...{ layaway_kind: 'deposit', layaway_amount_captured: 0, layaway_total_paid: 0 },
      ...{ layaway_balance_owed: total, layaway_expires_at: expiresAt },
      ...{ customer_name: walter.name, customer_email: walter.email },
    }),
    means: ({ receipt_id }) => `Receipt ${receipt_id} says who laid the goods away, and where.`,
  });
  const model = modelOf(place, sale, { deposit: 1, expiresAt: new Date(expiresAt) });
  await outbox.run({ object: sale.saleId, steps: [orderStep(model)] }, longestMs);
  teller.say('The time of this layaway was over two days ago.');
}

const longestMs = 60_000;

/** A receipt of this register, with no goods on it. */
const receiptBody = (
  { terminalId, locationId, staffId, staffName }: OpenRegister,
  { saleId, sum, ...more }: { saleId: string; sum: number } & Readonly<Record<string, unknown>>,
) => ({
  receipt: {
    ...{ sale_id: saleId, pos_order_id: saleId, terminal_id: terminalId, location_id: locationId },
    ...{ staff_id: staffId, staff_name: staffName, terminal_name: 'Demo register', location_name: 'High Street' },
    ...{ payment_method: 'cash', currency: 'USD', subtotal: sum, tax_amount: 0, grand_total: sum, items: [] },
    ...more,
  },
});

async function leaveAReceipt(teller: Teller, register: OpenRegister): Promise<void> {
  await teller.ask({
    method: 'POST',
    path: '/V1/pos/receipts',
    body: receiptBody(register, { saleId: randomUUID(), sum: 7 }),
    means: ({ receipt_id }) => `Receipt ${receipt_id} is here, and its order stays in the register's queue.`,
  });
}

async function leaveAMail(teller: Teller, selling: Selling): Promise<void> {
  const { orderId } = mustBe(
    await selling.register.till.register.sell({
      ...{ lines: [lineOf(selling)], payment: cash, isHandedOverLater: true },
      buyer: { email: `gone@${refusedDomain}` },
    }),
  );
  teller.say('This buyer’s mailbox is gone.');
  await teller.ask({
    method: 'POST',
    path: `/V1/orders/${orderId}/emails`,
    as: 'admin',
    body: {},
    means: () => 'Its mail is taken on, and the mail server will refuse it.',
  });
}
