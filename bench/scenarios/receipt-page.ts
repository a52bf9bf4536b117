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
const firstWithCodes = 61_000_001;
const tokenOf = (subject: number) => String(subject).padStart(64, 'c0ffee');
const sqlToken = (n: string) => `lpad(${n}::text, 64, 'c0ffee')`;

/** Somebody looks at a receipt of six lines, beside a route that reads the same rows and sends the same bytes. */
const page = {
  loads: [
    { connections: 1, atLeast: null, atMost: 1.3 },
    { connections: 16, atLeast: null, atMost: 1.3 },
  ],
  prepare,
  request: (subject) => ({ method: 'GET', path: `/receipt/${tokenOf(subject)}`, isOutside: true }),
  plain: 'read',
} as const satisfies Omit<Scenario, 'name' | 'subjectOf'>;

const subjectsFrom = (least: number) => (n: number) => least + (n % receiptCount);

/** The baseline does not count the look, which the limits of section 8 ask of us: it writes nothing. */
export const receiptPage: Scenario = {
  ...page,
  name: 'receipt page',
  subjectOf: subjectsFrom(first),
  edit: (recorded, subject) => recorded.map((one) => uncounted(one, subject)),
};

const beside = (recorded: readonly Recorded[], subject: number) => recorded.map((one) => counted(one, subject));

/** The baseline counts it too, by the same statement. */
export const receiptPageBesideCounting: Scenario = {
  ...page,
  name: 'receipt page, beside a counted read',
  subjectOf: subjectsFrom(first),
  edit: beside,
};

/** A placed sale of a shop with a public address: each page draws a QR code and the bars of its order. */
export const receiptPageWithCodes: Scenario = {
  ...page,
  name: 'receipt page with its codes, beside a counted read',
  subjectOf: subjectsFrom(firstWithCodes),
  edit: beside,
};

let isPrepared = false;

async function prepare({ execute }: Preparation): Promise<void> {
  if (isPrepared) return;
  isPrepared = true;
  await execute(
    `update pos_location set config_overrides = '{"receipt_qr_url": "https://receipts.shop.example/receipt/{token}"}'
     where location_id = ${firstIds.pos_location + 1}`,
  );
  await makeReceipts(execute, { least: first, locationId: firstIds.pos_location, order: 'null' });
  await makeReceipts(execute, { least: firstWithCodes, locationId: firstIds.pos_location + 1, order: `'0' || n` });
  await execute('vacuum analyze pos_receipt');
  await execute('vacuum analyze pos_receipt_item');
}

async function makeReceipts(
  execute: Preparation['execute'],
  { least, locationId, order }: { least: number; locationId: number; order: string },
): Promise<void> {
  // The page never opens it; one that can be opened is there for whoever does.
  const sealed = createSecretBox(Buffer.alloc(32, 7).toString('base64')).seal(tokenOf(least), receiptTokenPurpose);
  await execute(
    `insert into pos_receipt (pos_order_id, location_id, currency, subtotal, tax_amount, grand_total, payment_method,
       amount_tendered, change_due, receipt_number, staff_name, order_increment_id, token_digest, sealed_token)
     select 'page-' || n, ${locationId}, 'USD', 42, 3.36, 45.36, 'cash', 50, 4.64, 'R-' || n, 'Ada Lovelace', ${order},
       encode(sha256(${sqlToken('n')}::bytea), 'hex'), '${sealed}'
     from generate_series(${least}, ${least + receiptCount - 1}) n`,
  );
  await execute(
    `insert into pos_receipt_item (receipt_id, sku, name, qty, price, row_total)
     select r.receipt_id, 'SKU-' || line, 'Thing number ' || line, 1, 7, 7
     from pos_receipt r cross join generate_series(1, 6) line
     where r.pos_order_id between 'page-${least}' and 'page-${least + receiptCount - 1}'`,
  );
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** A digest has nothing of the subject in it by which a replay could know it: the baseline has PostgreSQL work it out. */
const sqlDigest = (parameter: string) => `encode(sha256(${sqlToken(parameter)}::bytea), 'hex')`;

/** The statement that reads the same rows and counts nothing. */
function uncounted({ text, rows }: Recorded, subject: number): Recorded {
  const read = [...statements.keys()].find((one) => one.includes('r.token_digest = $1') && !one.includes('rate_limit'));
  if (read === undefined || !text.includes('rate_limit'))
    throw new Error('A receipt is read by another statement now.');
  return { text: read.replaceAll(/\$1(?!\d)/g, () => sqlDigest('$1')), values: [String(subject)], rows };
}

/** In a bucket of the baseline's own, of as many letters. */
function counted({ text, values, rows }: Recorded, subject: number): Recorded {
  const digest = digestOf(tokenOf(subject));
  const texts = values.flatMap((value, at) => {
    if (!Array.isArray(value) || typeof value[0] !== 'string') return [];
    const known = sqlDigest(`$${at + 1}`);
    const one = value[0] === digest ? known : `encode(sha256(('bench view ' || ${known})::bytea), 'hex')`;
    return [{ at, one }];
  });
  return {
    text: texts.reduce((now, { at, one }) => now.replaceAll(`$${at + 1}::text[]`, () => `array[${one}]`), text),
    values: values.map((value, place) => (texts.some(({ at }) => at === place) ? String(subject) : value)),
    rows,
  };
}
