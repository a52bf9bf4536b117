import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The service, as main.ts names it. */
export const { CLIENT_URL: url, CLIENT_TOKEN: token } = process.env;

/** The body of the sale that `npm start` gives as its first example, as a sale of its own. */
export function aSale() {
  const sale = JSON.parse(readFileSync(process.env.CLIENT_SALE, 'utf8'));
  sale.entity.extension_attributes.pos_sale_id = randomUUID();
  return sale;
}

/** Ends the process with 1 where the order is not what the client sold. */
export function mustBeComplete(client, order) {
  const { status, total_paid: paid = order.totalPaid, grand_total: total = order.grandTotal } = order;
  const isSold = status === 'complete' && paid === total && total > 0;
  console.log(`${isSold ? '  ok   ' : '  FAIL '}${client}: order ${status}, ${paid} of ${total} paid`);
  if (!isSold) process.exitCode = 1;
}
