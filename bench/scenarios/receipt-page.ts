import { createHash } from 'node:crypto';
import { createSecretBox } from '../../db/support/secret-box.ts';
import { receiptTokenPurpose } from '../../db/receipts/save-receipt.ts';
import type { Recorded } from '../replay.ts';
import type { Scenario } from '../scenario.ts';
import { firstIds } from '../shop.ts';

/** Each may be viewed ten times from one address: enough for all rounds. */
const receiptCount = 40_000;
const first = 60_000_001;
const tokenOf = (subject: number) => String(subject).padStart(64, 'c0ffee');
const sqlToken = `lpad(n::text, 64, 'c0ffee')`;

/**
 * A visitor views a receipt of six lines, beside a route that reads the same rows and sends the same bytes. The
 * baseline does not count the visit, which the limits of section 8 require.
 */
export const receiptPage: Scenario = {
  name: 'receipt page',
  loads: [
    { connections: 1, atLeast: null, atMost: 1.3 },
    { connections: 16, atLeast: null, atMost: 1.3 },
  ],
  async prepare({ execute }) {
    // The page never opens it, but a sealed value that can be opened exists.
    const sealed = createSecretBox(Buffer.alloc(32, 7).toString('base64')).seal(tokenOf(first), receiptTokenPurpose);
    await execute(
      `insert into pos_receipt (pos_order_id, location_id, currency, subtotal, tax_amount, grand_total, payment_method,
         amount_tendered, change_due, receipt_number, staff_name, token_digest, sealed_token)
       select 'page-' || n, ${firstIds.pos_location}, 'USD', 42, 3.36, 45.36, 'cash', 50, 4.64, 'R-' || n, 'Ada Lovelace',
         encode(sha256(${sqlToken}::bytea), 'hex'), '${sealed}'
       from generate_series(${first}, ${first + receiptCount - 1}) n`,
    );
    await execute(
      `insert into pos_receipt_item (receipt_id, sku, name, qty, price, row_total)
       select r.receipt_id, 'SKU-' || line, 'Thing number ' || line, 1, 7, 7
       from pos_receipt r cross join generate_series(1, 6) line where r.pos_order_id like 'page-%'`,
    );
    await execute('vacuum analyze pos_receipt');
    await execute('vacuum analyze pos_receipt_item');
  },
  request: (subject) => ({ method: 'GET', path: `/receipt/${tokenOf(subject)}`, isOutside: true }),
  subjectOf: (n) => first + (n % receiptCount),
  plain: 'read',
  edit: (recorded, subject) => recorded.filter(({ text }) => !text.includes('rate_limit')).map(byToken(subject)),
};

/** A digest does not contain the subject, so a replay cannot replace it: the baseline has PostgreSQL compute it. */
const byToken =
  (subject: number) =>
  ({ text, values, rows }: Recorded): Recorded => {
    const digest = createHash('sha256').update(tokenOf(subject)).digest('hex');
    const at = values.indexOf(digest) + 1;
    if (at === 0) return { text, values, rows };
    return {
      text: text.replaceAll(`$${at}`, `encode(sha256(lpad($${at}::text, 64, 'c0ffee')::bytea), 'hex')`),
      values: values.with(at - 1, String(subject)),
      rows,
    };
  };
