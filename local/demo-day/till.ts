import { memoryStore } from '../../client/jobs.ts';
import { createOutbox, type Outbox } from '../../client/outbox.ts';
import { createRegister, type Made, type Register } from '../../client/register.ts';
import { taxPercentOf } from '../../client/configuration.ts';
import { criteria } from '../../client/criteria.ts';
import { valueOf } from '../../client/results.ts';
import { cash, type AppliedCredit, type Payment, type Place } from '../../client/sale.ts';
import type { SaleLine } from '../../client/totals.ts';
import { toWire } from '../../domain/money.ts';
import { DayWentWrong, sentenceOf, type Json, type Meaning, type Teller } from './teller.ts';

/** Rounded to cents. */
export const inCents = (amount: number) => Math.round(amount * 100) / 100;

/** What the requests of the client mean; the first pattern that fits counts. */
const meanings: readonly (readonly [RegExp, Meaning])[] = [
  [/^POST \/V1\/pos\/receipts/, ({ receipt_id }) => `Receipt ${receipt_id} is stored.`],
  [
    /^POST \/V1\/pos\/register-reports/,
    ({ report_id, document_hash }) =>
      `Report ${report_id} of the session is stored, ${String(document_hash).slice(0, 8)}….`,
  ],
  [
    /^POST \/V1\/orders/,
    ({ increment_id, grand_total }) => `Order ${increment_id} is placed over ${grand_total}; its goods are promised.`,
  ],
  [/^POST \/V1\/order\/\d+\/invoice/, (invoiceId) => `Invoice ${invoiceId}: the order is paid.`],
  [/^POST \/V1\/order\/\d+\/ship/, (shipmentId) => `Shipment ${shipmentId}: handed over, off the shelf.`],
  [
    /^POST \/V1\/pos\/rma\?/,
    ({ increment_id, status, base_handback }) =>
      `Return ${increment_id}: approved, received, restocked, ${status}; ${base_handback ?? 'nothing yet'} given back.`,
  ],
  [
    /^POST \/V1\/pos\/rma\/\d+\/settle/,
    ({ status, base_handback }) => `Settled: ${base_handback} handed back, the return is ${status}.`,
  ],
  [
    /^POST \/V1\/pos\/layaways\/\d+\/payments/,
    ({ total_captured, balance_owed, status }) => `${total_captured} paid, ${balance_owed} owed, ${status}.`,
  ],
  [
    /^POST \/V1\/pos\/layaways\/\d+\/cancel/,
    ({ status, cancellation_fee, refund_amount, refund_method, credit_memo_increment_id }) =>
      `${status}: ${cancellation_fee} kept, ${refund_amount} to hand back by ${refund_method}, memo ${credit_memo_increment_id}.`,
  ],
  [/^GET \/V1\/invoices/, ({ items }) => `${items.length} invoice is open since the order was placed.`],
  [/^POST \/V1\/invoices\/\d+\/capture/, (isPaid) => `The invoice is marked paid (${isPaid}), no money counted twice.`],
  [
    /^POST \/V1\/pos\/credits\/applicable/,
    ({ outcome, applies_as, max_amount }) => `${outcome}: up to ${max_amount} of it as ${applies_as}.`,
  ],
  [
    /^GET \/V1\/customers\/search/,
    ({ items: [found] }) => `${found.firstname} ${found.lastname} is customer ${found.id}.`,
  ],
  [
    /^GET \/V1\/products\?/,
    ({ items, total_count }) =>
      `${items.length} of ${total_count} products: ${items.map((item: Json) => item.sku).join(', ')}.`,
  ],
  [
    /^POST \/V1\/pos\/orders\/\d+\/due-payments/,
    ({ amount, is_replay, remaining_due, is_invoice_paid }) =>
      `${is_replay ? 'Sent again, booked once' : 'Booked'}: ${amount}; ${remaining_due} still due, invoice paid: ${is_invoice_paid}.`,
  ],
];

/** What a request of the client means, told by its answer: a refusal says it itself. */
export function meaningOf(request: string, status: number, body: Json): string {
  if (status >= 400) return sentenceOf(body);
  return meanings.find(([pattern]) => pattern.test(request))?.[1](body) ?? 'Done.';
}

/** The register's half, on the client: what it sends waits in a queue until it is answered. */
export interface Till {
  register: Register;
  outbox: Outbox;
  place: Place;
}

/** What the rest of the day needs to know about the opened register. */
export interface OpenRegister {
  terminalId: number;
  locationId: number;
  staffId: number;
  staffName: string;
  /** Payment methods behind the two card providers, as the configuration names them. */
  cardMethod: string;
  /** The payment method of a sale on invoice. */
  invoiceMethod: string;
  till: Till;
}

/** A day in one go needs no disk; a register has one (docs/registers/client.md). */
export function openTill({ client }: Teller, place: Place): Till {
  const outbox = createOutbox({ client, store: memoryStore() });
  return { register: createRegister({ client, outbox, place, patienceMs }), outbox, place };
}

const patienceMs = 60_000;

/** The value of what must be done at this point of the day. */
export function mustBe<Value>(made: Made<Value>): Value {
  if (made.kind === 'done') return made.value;
  throw new DayWentWrong(`It was not done: ${JSON.stringify(made)}`);
}

/** A sale of one kind of goods, as the demo wants it. */
export interface Selling {
  register: OpenRegister;
  product: Json;
  /** In the store's currency, per piece, without tax. */
  price: number;
  qty: number;
  payment: 'cash' | 'card' | 'invoice';
  /** What was entered for the product's custom options, and the SKU of such a line. */
  entered?: { sku: string; options: readonly { option_id: string; option_value: string }[] };
  /** A fixed tax for one piece, on top of its price. */
  fixedTax?: number;
  /** The customer; default: a walk-in customer. */
  customer?: Customer;
  /** Credits spent on it as tender; the terminal takes the rest. */
  credits?: readonly AppliedCredit[];
}

export interface Customer {
  id: number;
  email: string;
}

/** What lies on the counter, taxed as the location taxes goods of the product's class. */
export const lineOf = ({ register, product, price, qty, entered, fixedTax }: Selling): SaleLine => ({
  ...{ sku: entered?.sku ?? product.sku, name: product.name, productId: product.id, qty, price },
  taxPercent: taxPercentOf(register.till.place, taxClassOf(product)),
  ...(fixedTax === undefined ? {} : { fixedTaxes: [{ title: 'Eco fee', amount: fixedTax }] }),
  ...(entered === undefined
    ? {}
    : { productOption: { extension_attributes: { custom_options: [...entered.options] } } }),
});

const taxClassOf = ({ custom_attributes: attributes = [] }: Json): number =>
  Number(attributes.find(({ attribute_code: code }: Json) => code === 'tax_class_id')?.value ?? 0);

export const totalOf = (selling: Selling): number =>
  toWire(selling.register.till.register.totals([lineOf(selling)]).order.grandTotal);

/**
 * The price at which one piece comes to this with its tax: the cents of a refund choose what the gateway does with it.
 */
export function priceOf(register: OpenRegister, product: Json, total: number): number {
  const highest = Math.round(total * 100);
  for (let cents = highest; cents > highest / 2; cents--) {
    const price = inCents(cents / 100);
    if (totalOf({ register, product, price, qty: 1, payment: 'cash' }) === total) return price;
  }
  throw new DayWentWrong(`No price comes to ${total} with tax.`);
}

/** @param transactionId the terminal's own id of a payment by card */
export function paymentOf({ register, payment }: Selling, transactionId?: string): Payment {
  if (payment === 'cash') return cash;
  if (payment === 'invoice') return { method: register.invoiceMethod, label: 'invoice' };
  return { method: register.cardMethod, label: 'card', ...(transactionId === undefined ? {} : { transactionId }) };
}

/** By e-mail, as a cashier types it. */
export async function findCustomer({ client }: Teller, email: string): Promise<Customer> {
  const query = criteria().where('email', email).query();
  const [found] = valueOf(await client.get('/V1/customers/search', { query })).items;
  if (!found) throw new DayWentWrong(`Nobody has the e-mail ${email}.`);
  return { id: Number(found.id), email };
}
