import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { criteria } from '../../client/criteria.ts';
import { valueOf } from '../../client/results.ts';
import { credentials } from '../demo-shop/stores.ts';
import { runPos, type Json, type Teller } from './teller.ts';
import {
  findCustomer,
  inCents,
  lineOf,
  mustBe,
  paymentOf,
  totalOf,
  type Customer,
  type Selling,
  type OpenRegister,
} from './till.ts';

export interface Sale {
  orderId: number;
  orderIncrementId: string;
  itemId: number;
  /** The token in the code on its receipt. */
  receiptToken: string;
}

/** Reads the catalog for a cheap, simple product in stock. */
export async function browse(teller: Teller): Promise<Json> {
  teller.chapter('Catalogue');
  const query = criteria().where('type_id', 'simple').sortedBy('entity_id').page(5).query();
  const [first] = valueOf(await teller.client.get('/V1/products', { query })).items;
  return teller.ask({
    method: 'GET',
    path: `/V1/products/${encodeURIComponent(String(first?.sku))}`,
    means: ({ name, price }) => `${name} at ${price}.`,
  });
}

/** A sale as a register carries it out: the client sends receipt, order, invoice and shipment. */
export async function sell(teller: Teller, selling: Selling): Promise<Sale> {
  const { register, payment, customer, credits } = selling;
  const saleId = randomUUID();
  const total = totalOf(selling);
  const spent = (credits ?? []).reduce((sum, { amount }) => sum + amount, 0);
  const paymentId = payment === 'card' ? await payByCard(teller, saleId, total - spent) : undefined;
  const { orderId, number, itemIds, receiptId, receiptToken } = mustBe(
    await register.till.register.sell({
      ...{ saleId, lines: [lineOf(selling)], payment: paymentOf(selling, paymentId) },
      ...(customer === undefined ? {} : { buyer: customer }),
      ...(credits === undefined ? {} : { credits }),
      ...(payment === 'invoice' ? { creditDue: total } : {}),
    }),
  );
  await teller.ask({
    method: 'GET',
    path: `/V1/pos/receipts/${receiptId}`,
    means: ({ order_increment_id }) => `The receipt now carries order ${order_increment_id}.`,
  });
  return { orderId, orderIncrementId: number, itemId: itemIds[0] ?? 0, receiptToken };
}

/** Does what the card terminal does, before anything is booked. */
export async function payByCard(teller: Teller, saleId: string, total: number): Promise<string> {
  const { payment_id } = await teller.askGateway({
    method: 'POST',
    path: '/payments',
    body: { provider: 'provider_a', amount: total.toFixed(2), currency: 'USD', reference: saleId },
    means: (payment) => `The card terminal took ${total.toFixed(2)} USD: ${payment.payment_id}.`,
  });
  return payment_id;
}

/** A mug is sold with a name on it: the register asks for the options of the product and enters them on the line. */
export async function engravedSale(teller: Teller, register: OpenRegister): Promise<void> {
  teller.chapter('A mug with a name on it');
  const product = await teller.ask({
    method: 'GET',
    path: '/V1/products/MUG-NAMED',
    means: ({ name, options }) => `${name}: ${options.map(({ title }: Json) => title).join(' and ')} to be entered.`,
  });
  const [name, letters] = product.options;
  const gold = letters.values.find(({ title }: Json) => title === 'Gold');
  await sell(teller, {
    ...{ register, product, qty: 1, payment: 'cash' },
    price: product.price + name.price + gold.price,
    entered: {
      sku: [product.sku, name.sku, gold.sku].join('-'),
      options: [
        { option_id: String(name.option_id), option_value: 'Ada' },
        { option_id: String(letters.option_id), option_value: String(gold.option_type_id) },
      ],
    },
  });
}

const [grace, walter] = credentials.customers;
/** How often the mail catcher is asked for a mail. */
const lookTimes = 50;
const lookEveryMs = 200;

/** What a customer does with a receipt: opens it by its code, mails it, downloads it, and takes it into an account. */
export async function receiptDay(teller: Teller, { receiptToken }: Sale): Promise<void> {
  teller.chapter('The customer opens the receipt by the code on it');
  const page = `/receipt/${receiptToken}`;
  const shown = await teller.visit({ path: page, means: () => 'The receipt, on a page that needs no script.' });
  teller.must(shown.text.includes('receipt'), 'The page shows no receipt.');
  teller.must(shown.headers.get('referrer-policy') === 'no-referrer', 'The page may pass its address on.');

  await teller.visit({
    path: `${page}/email`,
    form: { email: grace.email },
    means: () => `It is mailed to ${grace.email}; the page waited for the mail server's yes.`,
  });
  await lookIntoMailbox(teller);
  const pdf = await teller.visit({
    path: `${page}/pdf`,
    expect: [200, 503],
    means: ({ status, text }) =>
      status === 200 ? `The PDF: ${text.length} characters.` : 'There is no Chromium here, so no PDF; all else works.',
  });
  teller.must(pdf.status === 503 || pdf.text.startsWith('%PDF-'), 'What was downloaded is no PDF.');

  await teller.visit({
    path: `${page}/claim`,
    form: { email: grace.email, password: grace.password },
    means: () => `${grace.name} signed in on the page: receipt and order are in her account.`,
  });
  await teller.visit({
    path: `${page}/claim`,
    form: { email: walter.email, password: walter.password },
    expect: [409],
    means: () => `${walter.name} comes second, and is refused.`,
  });
  await teller.visit({
    path: `/receipt/${'0'.repeat(64)}`,
    expect: [404],
    means: () => 'A token that no receipt has opens nothing.',
  });
}

/** Reads the mail catcher's mailbox, where the catcher is ours. */
async function lookIntoMailbox(teller: Teller): Promise<void> {
  const { mail } = teller.ready;
  if (mail === null) return;
  for (let attempt = 0; attempt < lookTimes; attempt++) {
    const caught: Json[] = JSON.parse(await (await fetch(new URL('/api/messages', mail))).text());
    const found = caught.find(({ to }) => JSON.stringify(to).includes(grace.email));
    if (found) return teller.say(`In the mail catcher: "${found.subject}", ${found.attachments.length} attached.`);
    await pause(lookEveryMs);
  }
  teller.must(false, 'The receipt never came to the mail catcher.');
}

const sku = 'LAMP-PAPER';
const contractPrice = 31.5;
const pieces = 4;
const room = 200;

/** A company's buyer pays the contract price, on invoice, within the credit limit; the money comes later. */
export async function invoiceDay(teller: Teller, register: OpenRegister): Promise<void> {
  teller.chapter('A business customer buys at the price of the contract, on invoice');
  const walter = await findCustomer(teller, credentials.customers[1].email);
  loadContract(teller, walter);
  const before = await agreeOnLimit(teller, walter);
  const product = await teller.ask({
    method: 'GET',
    path: `/V1/products/${sku}`,
    means: ({ name, price }) => `${name} is ${price} for everybody.`,
  });
  const price = await priceFor(teller, walter);
  teller.must(price === contractPrice, `The contract says ${contractPrice}, the register was told ${price}.`);

  const selling: Selling = { register, product, price, qty: pieces, payment: 'invoice', customer: walter };
  const total = totalOf(selling);
  teller.must(total <= before.available, 'It is more than the customer has left.');
  const sale = await sell(teller, selling);
  const owing = await standing(teller, walter);
  teller.must(inCents(before.available - owing.available) === total, 'The sale did not use the limit up.');

  await teller.ask({
    method: 'POST',
    path: `/V1/pos/orders/${sale.orderId}/due-payments`,
    body: { amount: total, reference: `transfer-${sale.orderIncrementId}` },
    means: ({ remaining_due: left, is_invoice_paid: isPaid }) =>
      `The transfer came: ${left} due, invoice paid: ${isPaid}.`,
  });
  const after = await standing(teller, walter);
  teller.must(after.available === before.available, 'The payment did not give the limit back.');
}

/** As an operator does it, from a file. */
function loadContract(teller: Teller, { email }: Customer): void {
  const folder = mkdtempSync(join(tmpdir(), 'pos-demo-prices-'));
  try {
    const file = join(folder, 'contracts.csv');
    writeFileSync(file, `customer,sku,qty,price\n${email},${sku},1,${contractPrice}\n${email},${sku},10,29\n`);
    runPos(teller, ['prices', 'load', file]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const describeCredit = ({ limit, used, available, currency }: Json) =>
  `Limit ${limit}, used ${used}, so ${available} ${currency} may be bought on invoice.`;

const standing = (teller: Teller, { id }: Customer): Promise<Json> =>
  teller.ask({ method: 'GET', path: `/V1/pos/customers/${id}/credit-limit`, means: describeCredit });

/** Sets a limit with room for this day, whatever is owed from earlier days. */
async function agreeOnLimit(teller: Teller, walter: Customer): Promise<Json> {
  const { used } = await standing(teller, walter);
  return teller.ask({
    method: 'PUT',
    path: `/V1/pos/customers/${walter.id}/credit-limit`,
    as: 'admin',
    body: { limit: inCents(used + room) },
    means: (agreed) => `The office agrees. ${describeCredit(agreed)}`,
  });
}

async function priceFor(teller: Teller, { id }: Customer): Promise<number> {
  const { prices } = await teller.ask({
    method: 'POST',
    path: '/V1/pos/customer-prices',
    body: { request: { customerId: id, skus: [sku, 'GIFTWRAP'], websiteId: 1 } },
    means: ({ prices: rows }) =>
      rows.map((row: Json) => `${row.sku} is ${row.customer_price} by ${row.source}`).join(', ') +
      '; what is absent costs what it costs everybody.',
  });
  return prices.find((row: Json) => row.sku === sku)?.customer_price;
}
