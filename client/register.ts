import { least, toWire } from '../domain/money.ts';
import type { Client } from './client.ts';
import { criteria } from './criteria.ts';
import type { JobEnd, Step } from './jobs.ts';
import type { Outbox } from './outbox.ts';
import type { Result } from './results.ts';
import { receiptOf, receiptOfPayment, receiptOfRefund, type LaterPayment, type ReturnedLines } from './receipt.ts';
import { mainTender, modelOf } from './sale-model.ts';
import {
  orderStep,
  receiptStep,
  soldOf,
  step,
  stepsOfSale,
  type AppliedCredit,
  type Payment,
  type Place,
  type Sale,
  type Sold,
} from './sale.ts';
import { reportStep, type SessionReport } from './session-report.ts';
import type { AnswerOf, CodeOf, Sent } from './shapes.ts';
import { amountOf, sumOf, totalsOf, type SaleLine } from './totals.ts';

/** What became of what the cashier did. `waiting`: it is stored, and is sent when the line is back. */
export type Made<Value> = { kind: 'done'; value: Value } | Exclude<JobEnd, { kind: 'done' }>;

export interface RegisterOptions {
  client: Client;
  outbox: Outbox;
  place: Place;
  /** How long the cashier waits before the thing counts as waiting. */
  patienceMs?: number;
}

/** Goods that come back. */
export interface TakeBack {
  /** Names the return. Absent: made here, when the cashier presses. */
  returnSaleId?: string;
  orderId: number;
  lines: readonly { itemId: number; qty: number; reason?: string; condition?: string; inspected?: string }[];
  /** `original_payment` is the card; all others are settled at once, by the cashier. */
  method: NonNullable<Sent<'SettleReturnRequest'>['method']>;
  /** A terminal's own id of the refund. */
  reference?: string;
  comment?: string;
}

export interface TakenBack {
  returnId: number;
  number: string;
  status: string;
  /** What the cashier hands out, in the base currency. */
  baseHandback: number;
}

export interface Layaway extends Omit<Sale, 'isHandedOverLater' | 'credits' | 'creditDue'> {
  /** How the first payment is made; a second way of paying is a second payment. */
  payment: Payment;
  /** The first payment. */
  deposit: number;
  /** Absent: after the days of the location. */
  expiresAt?: Date;
}

export interface LayawayPayment {
  orderId: number;
  amount: number;
  /** The word for the way of paying. Absent: `cash`. */
  method?: string;
  /** The name of the payment, of the terminal or made when the cashier presses. */
  reference?: string;
  /** What the customer gave, in cash: the receipt shows it with the change. */
  tendered?: number;
  /**
   * What was owed before, as the last payment told: its receipt then says whether it is the last one, and what change
   * is due. Absent: the order is read, where there is a line.
   */
  owed?: number;
}

/** A payment on what was due later. */
export type DuePayment = Omit<LayawayPayment, 'owed'>;

export interface Register {
  /** What a sale comes to, for the display. */
  totals: (lines: readonly SaleLine[]) => ReturnType<typeof totalsOf>;
  /** Receipt, order, invoice, shipment: stored before the first of them is sent. */
  sell: (sale: Sale) => Promise<Made<Sold>>;
  /** Creates the return, refunds, and stores the receipt of the refund. Hand cash out on `done`, and only then. */
  takeBack: (back: TakeBack) => Promise<Made<TakenBack>>;
  /** Settles a return that is parked, as after a card's refusal. */
  settle: (returnId: number, how: Sent<'SettleReturnRequest'>) => Promise<Made<TakenBack>>;
  /** Lays goods away with their first payment. */
  layaway: (layaway: Layaway) => Promise<Made<Sold>>;
  payLayaway: (payment: LayawayPayment) => Promise<Made<{ captured: number; owed: number; status: string }>>;
  /** Collects what a customer owes on a sale with `creditDue`. */
  payDue: (payment: DuePayment) => Promise<Made<{ amount: number; remainingDue: number }>>;
  /** A layaway that is paid in full: its invoice is captured, the goods go out. */
  handOver: (orderId: number) => Promise<Made<{ shipmentId: number }>>;
  /**
   * Sends the report of a closed session, also after the register was offline. Refused with
   * `register_report_conflict`: another report of its session and number is stored; do not send it again.
   */
  sendReport: (report: SessionReport) => Promise<Made<{ reportId: number; documentHash: string }>>;
  /** What a credit may pay of these goods. Nothing is taken: send it with the sale. */
  credit: (
    credit: { type: AppliedCredit['credit_type']; customerId?: number; code?: string },
    lines: readonly SaleLine[],
  ) => Promise<Result<AnswerOf<'post', '/V1/pos/credits/applicable'>, CodeOf<'post', '/V1/pos/credits/applicable'>>>;
}

const patienceMs = 10_000;

/** Of the service, for the id of a receipt's sale. */
const maxSaleIdLength = 64;

/**
 * What a cashier does, as one call each. All of it goes through the outbox, so it survives a lost line and a power cut.
 */
export function createRegister({ client, outbox, place, ...more }: RegisterOptions): Register {
  const patience = more.patienceMs ?? patienceMs;
  const run = async <Value>(
    object: string,
    steps: readonly Step[],
    valueOf: (kept: Readonly<Record<string, string | number>>) => Value,
    endsIfRefused = false,
  ): Promise<Made<Value>> => {
    const end = await outbox.run({ object, steps, endsIfRefused }, patience);
    return end.kind === 'done' ? { kind: 'done', value: valueOf(end.kept) } : end;
  };

  /** What a layaway still owes; undefined where nothing answers. */
  const owedOf = async (orderId: number): Promise<number | undefined> => {
    const query = { fields: 'total_due' };
    const found = await client.get('/V1/orders/{id}', { path: { id: orderId }, query, giveUpAfterMs: patience / 2 });
    return found.kind === 'done' ? Number(found.value.total_due) : undefined;
  };

  function paymentReceipt(
    orderId: number,
    reference: string,
    { owed, ...payment }: LaterPayment & { owed: number | undefined },
  ): Step {
    // A layaway books no more than is owed.
    const amount = toWire(
      owed === undefined ? amountOf(payment.amount) : least(amountOf(payment.amount), amountOf(owed)),
    );
    const { tendered } = payment;
    if (tendered !== undefined && tendered < amount) throw new RangeError('The customer gave less cash than is paid.');
    const change = tendered === undefined ? undefined : sumOf(tendered, -amount);
    const id = `${payment.kind === 'credit_due' ? 'due' : 'layaway'}-${orderId}-${reference}`.slice(-maxSaleIdLength);
    return receiptStep(reference, receiptOfPayment(place, id, { ...payment, amount }, change), {
      'receipt.order_increment_id': 'orderNumber',
      'receipt.layaway_total_paid': 'captured',
      'receipt.layaway_balance_owed': 'owed',
    });
  }

  return {
    totals: (lines) => totalsOf(lines, place.money),

    sell(sale) {
      const saleId = sale.saleId ?? crypto.randomUUID();
      return run(saleId, stepsOfSale(place, { ...sale, saleId }), (kept) => soldOf(saleId, kept));
    },

    takeBack(back) {
      const id = back.returnSaleId ?? crypto.randomUUID();
      const settled =
        back.method === 'original_payment'
          ? []
          : [
              settleStep(id, {
                ...{ method: back.method, terminalId: place.terminalId },
                ...(back.reference ? { reference: back.reference } : {}),
              }),
            ];
      return run(
        id,
        [returnStep(place, back, id), ...settled, refundReceiptStep(place, { ...back, id })],
        takenBackOf,
        true,
      );
    },

    settle(returnId, how) {
      const id = `return-${returnId}-${crypto.randomUUID()}`;
      return run(
        `return-${returnId}`,
        [
          settleStep(id, { terminalId: place.terminalId, ...how }, returnId),
          refundReceiptStep(place, { id, method: how.method ?? 'split', lines: [] }),
        ],
        (kept) => takenBackOf({ returnId, ...kept }),
        true,
      );
    },

    layaway({ deposit, expiresAt, ...layaway }) {
      const saleId = layaway.saleId ?? crypto.randomUUID();
      const terms = { deposit, ...(expiresAt === undefined ? {} : { expiresAt }) };
      const model = modelOf(place, { ...layaway, saleId }, terms);
      const { payment } = mainTender(model);
      const steps = [
        receiptStep(saleId, receiptOf(model)),
        orderStep(model),
        payStep(saleId, '{orderId}', {
          ...{ amount: deposit, paymentMethod: payment.label ?? payment.method, terminalId: place.terminalId },
          reference: payment.transactionId ?? `${saleId}-deposit`,
        }),
      ];
      return run(saleId, steps, (kept) => soldOf(saleId, kept));
    },

    async payLayaway({ orderId, amount, method = 'cash', reference = crypto.randomUUID(), ...more }) {
      const owed = more.owed ?? (await owedOf(orderId));
      const steps = [
        payStep(reference, String(orderId), {
          ...{ amount, paymentMethod: method, reference, terminalId: place.terminalId },
        }),
        paymentReceipt(orderId, reference, {
          kind: owed !== undefined && amount >= owed ? 'settlement' : 'top_up',
          ...{ amount, method, tendered: more.tendered, owed },
        }),
      ];
      return run(`layaway-${orderId}`, steps, (kept) => ({
        captured: Number(kept['captured']),
        owed: Number(kept['owed']),
        status: String(kept['status']),
      }));
    },

    payDue({ orderId, amount, method = 'cash', reference = crypto.randomUUID(), tendered }) {
      const path = `/V1/pos/orders/${orderId}/due-payments`;
      const paid = step(reference, 'due-payment', path, {
        body: { amount, reference, paymentMethod: method, terminalId: place.terminalId },
        keeps: { amount: 'amount', owed: 'remaining_due', captured: 'paid_total', orderNumber: 'order_increment_id' },
      });
      const receipt = paymentReceipt(orderId, reference, {
        kind: 'credit_due',
        ...{ amount, method, tendered, owed: undefined },
      });
      return run(
        `due-${orderId}`,
        [paid, receipt],
        (kept) => ({ amount: Number(kept['amount']), remainingDue: Number(kept['owed']) }),
        true,
      );
    },

    async handOver(orderId) {
      const query = criteria().where('order_id', orderId).fields('items[entity_id,state]').query();
      const found = await client.get('/V1/invoices', { query, giveUpAfterMs: patience });
      if (found.kind === 'unanswered') return { kind: 'waiting', because: found.because };
      if (found.kind !== 'done') return found;
      const open = found.value.items.filter(({ state }) => state === openInvoice);
      // A name of its own for each press: a refusal is kept under it.
      const id = `layaway-${orderId}-${crypto.randomUUID()}`;
      return run(
        `layaway-${orderId}`,
        [
          ...open.map(({ entity_id }) =>
            step(`${id}-${entity_id}`, 'capture', `/V1/invoices/${entity_id}/capture`, { body: {} }),
          ),
          step(id, 'shipment', `/V1/order/${orderId}/ship`, { body: {}, keeps: { shipmentId: '' } }),
        ],
        (kept) => ({ shipmentId: Number(kept['shipmentId']) }),
        true,
      );
    },

    sendReport(report) {
      const sent = reportStep(place, report);
      return run(
        sent.object,
        [sent.step],
        (kept) => ({ reportId: Number(kept['reportId']), documentHash: String(kept['documentHash']) }),
        true,
      );
    },

    credit({ type, customerId, code }, lines) {
      const { order: totals } = totalsOf(lines, place.money);
      return client.post('/V1/pos/credits/applicable', {
        giveUpAfterMs: patience,
        body: {
          credit_type: type,
          ...(customerId === undefined ? {} : { customer_id: customerId }),
          ...(code === undefined ? {} : { code }),
          store_id: place.storeId,
          subtotal: toWire(totals.subtotal),
          subtotal_incl_tax: toWire(totals.subtotalInclTax),
          discount_amount: toWire(totals.discountAmount),
          tax_amount: toWire(totals.taxAmount),
          grand_total: toWire(totals.grandTotal),
          lines: lines.map(({ sku, qty }, at) => ({
            ...{ sku, qty },
            row_total: toWire(totals.lines[at]?.rowTotal ?? totals.subtotal),
            row_total_incl_tax: toWire(totals.lines[at]?.rowTotalInclTax ?? totals.subtotal),
            discount_amount: toWire(totals.lines[at]?.discountAmount ?? totals.discountAmount),
          })),
        },
      });
    },
  };
}

/** The state of an invoice that is not paid yet. */
const openInvoice = 1;

function returnStep(place: Place, back: TakeBack, id: string): Step {
  const body: Sent<'CreateReturnRequest'> = {
    orderId: back.orderId,
    items: JSON.stringify(
      back.lines.map(({ itemId, qty, reason, condition, inspected }) => ({
        order_item_id: itemId,
        qty_requested: qty,
        reason: reason ?? 'Changed mind',
        condition: condition ?? 'Unopened',
        resolution: back.method === 'store_credit' ? 'Store Credit' : 'Refund',
        inspected_condition: inspected ?? 'pristine',
      })),
    ),
    autoApprove: true,
    locationId: place.locationId,
    refundMethod: back.method,
    posSaleId: id,
    ...(back.comment === undefined ? {} : { comment: back.comment }),
  };
  return step(id, 'return', `/V1/pos/rma?fields=id,${answerOfReturn},items[product_name,product_sku]`, {
    body,
    keeps: {
      ...{ returnId: 'id', ...keptOfReturn },
      ...Object.fromEntries(
        back.lines.flatMap((_, at) => [
          [`name${at}`, `items.${at}.product_name`],
          [`sku${at}`, `items.${at}.product_sku`],
        ]),
      ),
    },
  });
}

const answerOfReturn = 'increment_id,order_increment_id,status,base_handback,handback,credit_memo_id';

const keptOfReturn = {
  ...{ number: 'increment_id', orderNumber: 'order_increment_id', status: 'status' },
  ...{ baseHandback: 'base_handback', handback: 'handback', memoId: 'credit_memo_id' },
};

/** After the money: a return that is not settled has no receipt. */
const refundReceiptStep = (place: Place, returned: ReturnedLines): Step =>
  receiptStep(
    returned.id,
    receiptOfRefund(place, { ...returned, id: `refund-${returned.id}`.slice(-maxSaleIdLength) }),
    {
      'receipt.original_order_increment_id': 'orderNumber',
      'receipt.rma_id': 'returnId',
      'receipt.credit_memo_id': 'memoId',
      'receipt.grand_total': 'handback',
      ...Object.fromEntries(
        returned.lines.flatMap((_, at) => [
          [`receipt.items.${at}.name`, `name${at}`],
          [`receipt.items.${at}.sku`, `sku${at}`],
        ]),
      ),
    },
  );

const settleStep = (id: string, how: Sent<'SettleReturnRequest'>, returnId?: number): Step =>
  step(id, 'settle', `/V1/pos/rma/${returnId ?? '{returnId}'}/settle?fields=id,${answerOfReturn}`, {
    body: how,
    keeps: { returnId: 'id', ...keptOfReturn },
  });

const payStep = (id: string, orderId: string, body: Sent<'CaptureLayawayPaymentRequest'>): Step =>
  step(id, 'payment', `/V1/pos/layaways/${orderId}/payments`, {
    body,
    keeps: { captured: 'total_captured', owed: 'balance_owed', status: 'status', orderNumber: 'order_increment_id' },
  });

const takenBackOf = (kept: Readonly<Record<string, string | number>>): TakenBack => ({
  returnId: Number(kept['returnId']),
  number: String(kept['number']),
  status: String(kept['status']),
  baseHandback: Number(kept['baseHandback'] ?? 0),
});
