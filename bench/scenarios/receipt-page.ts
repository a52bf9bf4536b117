import { createHash } from 'node:crypto';
import { createSecretBox } from '../../db/support/secret-box.ts';
import { statements } from '../../db/support/statement.ts';
import { receiptTokenPurpose } from '../../db/receipts/save-receipt.ts';
import '../../db/receipts/receipt-view-rows.ts';
import type { Recorded } from '../replay.ts';
import type { Preparation, Scenario } from '../scenario.ts';
import { firstIds } from '../shop.ts';

/** Each may be viewed ten times from one address: enough for all rounds. */
const receiptCount = 40_000;
const first = 60_000_001;
const tokenOf = (subject: number) => String(subject).padStart(64, 'c0ffee');
const sqlToken = `lpad(n::text, 64, 'c0ffee')`;

/** Somebody looks at a receipt of six lines, beside a route that reads the same rows and sends the same bytes. */
const page = {
  loads: [
    { connections: 1, atLeast: null, atMost: 1.3 },
    { connections: 16, atLeast: null, atMost: 1.3 },
  ],
  prepare,
  request: (subject) => ({ method: 'GET', path: `/receipt/${tokenOf(subject)}`, isOutside: true }),
  subjectOf: (n) => first + (n % receiptCount),
  plain: 'read',
} as const satisfies Omit<Scenario, 'name'>;

/** The baseline does not count the look, which the limits of section 8 ask of us: it writes nothing. */
export const receiptPage: Scenario = {
  ...page,
  name: 'receipt page',
  edit: (recorded, subject) => recorded.map((one) => uncounted(one, digestOf(tokenOf(subject)))),
};

/** The baseline counts it too, by the same statement. */
export const receiptPageBesideCounting: Scenario = {
  ...page,
  name: 'receipt page, beside a counted read',
  edit: (recorded, subject) => recorded.map((one) => counted(one, digestOf(tokenOf(subject)))),
};

let isPrepared = false;

async function prepare({ execute }: Preparation): Promise<void> {
  if (isPrepared) return;
  isPrepared = true;
  // The page never opens it; one that can be opened is there for whoever does.
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
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** A digest has nothing of the subject in it by which a replay could know it: the baseline has PostgreSQL work it out. */
const sqlDigest = (parameter: string) => `encode(sha256(lpad(${parameter}::text, 64, 'c0ffee')::bytea), 'hex')`;

/** The statement that reads the same rows and counts nothing. */
function uncounted({ text, rows }: Recorded, digest: string): Recorded {
  const read = [...statements.keys()].find((one) => one.includes('r.token_digest = $1') && !one.includes('rate_limit'));
  if (read === undefined || !text.includes('rate_limit'))
    throw new Error('A receipt is read by another statement now.');
  return byDigest({ text: read, values: [digest], rows }, digest);
}

function byDigest({ text, values, rows }: Recorded, digest: string): Recorded {
  const at = values.indexOf(digest) + 1;
  const subject = String(first + 1);
  return { text: replaced(text, at, sqlDigest(`$${at}`)), values: values.with(at - 1, subject), rows };
}

/** In a bucket of the baseline's own, of as many letters. */
function counted(recorded: Recorded, digest: string): Recorded {
  const at = recorded.values.findIndex((value) => Array.isArray(value) && /^[0-9a-f]{64}$/.test(String(value))) + 1;
  const byToken = byDigest(recorded, digest);
  const name = `encode(sha256(('bench view ' || ${sqlDigest(`$${at}`)})::bytea), 'hex')`;
  return {
    ...byToken,
    text: replaced(byToken.text, at, `array[${name}]`).replaceAll(`]::text[]`, ']'),
    values: byToken.values.with(at - 1, String(first + 1)),
  };
}

const replaced = (text: string, at: number, by: string) =>
  text.replaceAll(new RegExp(`\\$${at}(?!\\d)`, 'g'), () => by);
