import { createHash } from 'node:crypto';
import '../../db/receipts/read-receipt-view.ts';
import { receiptTokenPurpose } from '../../db/receipts/save-receipt.ts';
import { createSecretBox } from '../../db/support/secret-box.ts';
import { statements } from '../../db/support/statement.ts';
import { grownOrder, growOrders, placedAtOf } from '../grow-orders.ts';
import { customerOf } from '../money-shop.ts';
import type { Recorded } from '../replay.ts';
import type { Preparation, Scenario } from '../scenario.ts';
import { firstIds, locationCount, productCount } from '../shop.ts';

/** Pages of the operator, each beside a route that sends the same statements. */

type Execute = (sql: string) => Promise<unknown>;

/** What waits for a person does not grow with a shop: so much of each. */
const waiting = { doubts: 20, returns: 60, layaways: 40, mails: 30, receipts: 30, cases: 5 };
const minuteOf = (n: number) => `timestamptz '2024-01-01' + ${n} * interval '1 minute'`;

/**
 * Beside the orders: each has a receipt; a closed one has a return, and each other of these a refund that was booked.
 */
const besides = (from: number, to: number) => [
  `insert into pos_receipt (pos_order_id, order_increment_id, location_id, staff_name, terminal_name, location_name,
    currency,
     grand_total, payment_method, token_digest, sealed_token, created_at)
   select 'ops-' || n, 'G' || n, ${firstIds.pos_location} + n % ${locationCount}, 'Ada', 'Till 1', 'Shop 1', 'USD',
     n % 500,
     (array['cash', 'provider_a', 'provider_b'])[1 + n % 3], md5('ops-' || n), 'sealed',
       ${minuteOf(0)} + n * interval '1 minute'
   from generate_series(${from}, ${to - 1}) n`,
  `insert into sale_return (return_id, increment_id, order_id, location_id, status, refund_method, credit_memo_id,
    created_at)
   select ${grownOrder(0)} + n, 'OR' || n, ${grownOrder(0)} + n, ${firstIds.pos_location} + n % ${locationCount},
     'closed',
     'original_payment', ${grownOrder(0)} + n, ${minuteOf(0)} + n * interval '1 minute'
   from generate_series(${from}, ${to - 1}) n where n % 100 between 70 and 84`,
  `insert into refund_attempt (attempt_id, order_id, return_id, payment_method, channel, state, base_amount, amount,
     currency_code, idempotency_key, plan, credit_memo_id, gateway_reference, created_at, updated_at)
   select ${grownOrder(0)} + n, ${grownOrder(0)} + n, ${grownOrder(0)} + n, 'provider_a', 'pos', 'booked', 10, 10,
     'USD',
     'ops-' || n, '{}', ${grownOrder(0)} + n, 'ops-ref-' || n, ${minuteOf(0)}, ${minuteOf(0)}
   from generate_series(${from}, ${to - 1}) n where n % 100 between 70 and 84 and n % 2 = 0`,
  `insert into mail_outbox (mail_key, kind, document_name, document_id, state, created_at, updated_at)
   select 'ops-' || n, 'document', 'order', ${grownOrder(0)} + n, 'sent', ${minuteOf(0)},
     ${minuteOf(0)} + n * interval '1 minute'
   from generate_series(${from}, ${to - 1}) n where n % 5 = 0`,
  `insert into credit_refund (order_id, kind, provider_code, website_id, amount, base_amount, currency_code,
     base_currency_code, reason, state, created_at, concluded_at)
   select ${grownOrder(0)} + n, 'store_credit', 'store_credit', 1, 5, 5, 'USD', 'USD', 'bench', 'booked',
     ${minuteOf(0)} + n * interval '1 minute', ${minuteOf(0)} + n * interval '1 minute'
   from generate_series(${from}, ${to - 1}) n where n % 20 = 0`,
];

const series = (count: number) => `generate_series(1, ${count}) n`;
/** Of orders that every size has. */
const open = [
  `insert into sale_return (return_id, increment_id, order_id, location_id, status, refund_method)
   select ${grownOrder(-1_000)} + n, 'OPEN' || n, ${grownOrder(0)} + n, ${firstIds.pos_location} + n % ${locationCount},
     (array['pending', 'approved', 'awaiting_refund'])[1 + n % 3], 'cash'
   from ${series(waiting.returns)}`,
  `insert into refund_attempt (attempt_id, order_id, return_id, payment_method, channel, state, base_amount, amount,
     currency_code, idempotency_key, plan, call_started_at, call_deadline, created_at)
   select ${grownOrder(-1_000)} + n, ${grownOrder(0)} + n, ${grownOrder(-1_000)} + n, 'provider_a', 'pos', 'uncertain',
     10, 10,
     'USD', 'open-' || n, '{}', now(), now(), now() - n * interval '1 minute'
   from ${series(waiting.doubts)}`,
  `insert into refund_case (attempt_id, first_by, first_at, second_by, second_note, amount, currency_code, means)
   select ${grownOrder(0)} + 70 + 2 * n, 'Ada', now(), 'Grace', 'that was another payment', 10, 'USD', 'cash'
   from ${series(waiting.cases)}`,
  `update sales_order set pos_layaway_status = 'stale', pos_layaway_expires_at = now() - interval '2 days'
   where entity_id between ${grownOrder(200)} and ${grownOrder(200 + waiting.layaways - 1)}`,
  `insert into mail_outbox (mail_key, kind, document_name, document_id, state, tries, reason, updated_at)
   select 'stuck-' || n, 'document', 'order', ${grownOrder(0)} + n, 'dropped', 6, 'EENVELOPE', ${minuteOf(0)}
   from ${series(waiting.mails)}`,
  `insert into pos_receipt (pos_order_id, location_id, staff_name, currency, grand_total, payment_method, token_digest,
    sealed_token)
   select 'alone-' || n, ${firstIds.pos_location}, 'Ada', 'USD', 42, 'cash', md5('alone-' || n), 'sealed'
   from ${series(waiting.receipts)}`,
];

let written = 0;

/** Writes orders until there are so many, and what the operator's pages tell of them. */
export async function growOpsShop(execute: Execute, to: number, say: (line: string) => void): Promise<void> {
  if (to <= written) return;
  const from = written;
  written = to;
  await growOrders({ em: { execute }, say }, from, to);
  const atOnce = 100_000;
  for (let start = from; start < to; start += atOnce)
    for (const statement of besides(start, Math.min(start + atOnce, to))) await execute(statement);
  if (from === 0) for (const statement of [...open, ...signedIn]) await execute(statement);
  await execute('vacuum analyze');
}

/** An administrator of everything who signed in a moment ago. */
const token = 'bench'.padEnd(43, '0');
const signedIn = [
  `insert into admin_user (user_id, username, first_name, last_name, email, password_hash, resources)
   values (95000001, 'bench-ops', 'Grace', 'Hopper', 'grace@bench.example', 'none', '["Magento_Backend::all"]')`,
  `insert into ops_session (digest, user_kind, user_id, seen_at, ends_at)
   values ('${createHash('sha256').update(`ops ${token}`).digest('hex')}', 'admin', 95000001,
     now() + interval '10 hours',
     now() + interval '11 hours')`,
];
export const opsCookie = { cookie: `pos_ops=${token}`, 'accept-language': 'en' };

/** The pages, by the number of orders: all but those that look at every table or machine once somebody asks. */
export const opsPaths = (size: number): Readonly<Record<string, string>> => ({
  Doubts: '/ops',
  Returns: '/ops/returns',
  'a return': `/ops/returns/${grownOrder(-970)}`,
  'the story of an order': `/ops/story?q=order-${grownOrder(70)}`,
  'a story by e-mail': '/ops/story?q=list7@bench.example',
  Today: `/ops/today?day=${placedAtOf(size - 1_440)
    .toISOString()
    .slice(0, 10)}`,
  Tills: '/ops/tills',
  Staff: '/ops/staff',
  Mails: '/ops/mails',
  'Receipts without an order': '/ops/receipts',
  Layaways: '/ops/layaways',
  Books: '/ops/books',
});

/** What the pages tell when they are measured beside a plain read. */
export const fewOrders = 20_000;

const prepare = ({ execute }: Preparation) => growOpsShop(execute, fewOrders, () => undefined);

/** Who asks, and whether it may, is not the page's rows: as with every token. */
const isOfTheSession = ({ text }: Recorded) => /\bops_session\b/.test(text);

export const opsPages: readonly Scenario[] = Object.entries(opsPaths(fewOrders)).map(([name, path]) => ({
  name: `ops: ${name}`,
  loads: [{ connections: 1, atLeast: null, atMost: 2 }],
  prepare,
  request: () => ({ method: 'GET', path, isOutside: true, headers: opsCookie }),
  subjectOf: () => 0,
  edit: (recorded) => recorded.filter((one) => !isOfTheSession(one)),
}));

const skusRequested = 60;
const skuOf = (n: number) => `SKU-${String((n % productCount) + 1).padStart(5, '0')}`;

/** The prices of sixty products for a customer: some by group, some by contract, some from the catalog. */
export const customerPrices: Scenario = {
  name: 'customer prices',
  loads: [{ connections: 16, atLeast: null, atMost: 2 }],
  async prepare({ execute }) {
    await execute(`
      update product set tier_prices = jsonb_build_array(
        jsonb_build_object('customerGroupId', 1, 'websiteId', 0, 'qty', 10000, 'value', 40000),
        jsonb_build_object('customerGroupId', 32000, 'websiteId', 0, 'qty', 50000, 'value', 30000))
      where entity_id % 3 = 0`);
    await execute(`
      insert into pos_contract_price (customer_id, website_id, sku, qty, price)
      select c.id, 1, p.sku, q, 3 from customer c, generate_series(1, 2) q,
        lateral (select sku from product where entity_id % 3 = 1 order by entity_id limit 200) p
      where c.id < (select min(id) + 200 from customer) on conflict do nothing`);
    await execute('vacuum analyze');
  },
  readsOnly: true,
  request: (customerId) => ({
    method: 'POST',
    path: '/V1/pos/customer-prices',
    body: {
      request: { customerId, websiteId: 1, skus: Array.from({ length: skusRequested }, (_, n) => skuOf(n * 7)) },
    },
  }),
  subjectOf: customerOf,
};

/** Validates a customer while it is typed. */
export const validateCustomer: Scenario = {
  name: 'validate customer',
  loads: [{ connections: 16, atLeast: null, atMost: 1.3 }],
  readsOnly: true,
  request: (customerId) => ({
    method: 'POST',
    path: '/V1/pos/customer-validate',
    body: {
      request: {
        email: `nobody-${customerId}@bench.example`,
        firstname: 'Ada',
        lastname: 'Lovelace',
        websiteId: 1,
        customerId,
        phone: '+4930901820',
        postcode: '10117',
        countryCode: 'DE',
        taxvat: 'DE136695976',
      },
    },
  }),
  subjectOf: customerOf,
};

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
  prepare: receiptPagePrepare,
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

async function receiptPagePrepare({ execute }: Preparation): Promise<void> {
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

/**
 * A digest has nothing of the subject in it by which a replay could know it: the baseline has PostgreSQL work it out.
 */
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
