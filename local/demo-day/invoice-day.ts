import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentials } from '../demo-shop/credentials.ts';
import { findCustomer } from './find-customer.ts';
import type { OpenRegister } from './open-register.ts';
import { runPos } from './run-pos.ts';
import { sell } from './sell.ts';
import type { Customer } from './selling.ts';
import { inCents } from './in-cents.ts';
import type { Json, Teller } from './teller.ts';

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

  const total = inCents(price * pieces);
  teller.must(total <= before.available, 'It is more than the customer has left.');
  const sale = await sell(teller, { register, product, price, qty: pieces, payment: 'invoice', customer: walter });
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
