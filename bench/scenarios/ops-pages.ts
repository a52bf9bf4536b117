import { createHash } from 'node:crypto';
import { growOrders, grownOrder, placedAtOf } from '../grow-orders.ts';
import type { Recorded } from '../replay.ts';
import type { Preparation, Scenario } from '../scenario.ts';
import { firstIds, locationCount } from '../shop.ts';

/** Pages of the operator, each beside a route that sends the same statements. */

type Execute = (sql: string) => Promise<unknown>;

/** What waits for a person does not grow with a shop: so much of each. */
const waiting = { doubts: 20, returns: 60, layaways: 40, mails: 30, receipts: 30, cases: 5 };
const minuteOf = (n: number) => `timestamptz '2024-01-01' + ${n} * interval '1 minute'`;

/** Beside the orders: each has a receipt; a closed one has a return, and each other of these a refund that was booked. */
const besides = (from: number, to: number) => [
  `insert into pos_receipt (pos_order_id, order_increment_id, location_id, staff_name, terminal_name, location_name, currency,
     grand_total, payment_method, token_digest, sealed_token, created_at)
   select 'ops-' || n, 'G' || n, ${firstIds.pos_location} + n % ${locationCount}, 'Ada', 'Till 1', 'Shop 1', 'USD', n % 500,
     (array['cash', 'provider_a', 'provider_b'])[1 + n % 3], md5('ops-' || n), 'sealed', ${minuteOf(0)} + n * interval '1 minute'
   from generate_series(${from}, ${to - 1}) n`,
  `insert into sale_return (return_id, increment_id, order_id, location_id, status, refund_method, credit_memo_id, created_at)
   select ${grownOrder(0)} + n, 'OR' || n, ${grownOrder(0)} + n, ${firstIds.pos_location} + n % ${locationCount}, 'closed',
     'original_payment', ${grownOrder(0)} + n, ${minuteOf(0)} + n * interval '1 minute'
   from generate_series(${from}, ${to - 1}) n where n % 100 between 70 and 84`,
  `insert into refund_attempt (attempt_id, order_id, return_id, payment_method, channel, state, base_amount, amount,
     currency_code, idempotency_key, plan, credit_memo_id, gateway_reference, created_at, updated_at)
   select ${grownOrder(0)} + n, ${grownOrder(0)} + n, ${grownOrder(0)} + n, 'provider_a', 'pos', 'booked', 10, 10, 'USD',
     'ops-' || n, '{}', ${grownOrder(0)} + n, 'ops-ref-' || n, ${minuteOf(0)}, ${minuteOf(0)}
   from generate_series(${from}, ${to - 1}) n where n % 100 between 70 and 84 and n % 2 = 0`,
  `insert into mail_outbox (mail_key, kind, document_name, document_id, state, created_at, updated_at)
   select 'ops-' || n, 'document', 'order', ${grownOrder(0)} + n, 'sent', ${minuteOf(0)}, ${minuteOf(0)} + n * interval '1 minute'
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
   select ${grownOrder(-1_000)} + n, ${grownOrder(0)} + n, ${grownOrder(-1_000)} + n, 'provider_a', 'pos', 'uncertain', 10, 10,
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
  `insert into pos_receipt (pos_order_id, location_id, staff_name, currency, grand_total, payment_method, token_digest, sealed_token)
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
   values ('${createHash('sha256').update(`ops ${token}`).digest('hex')}', 'admin', 95000001, now() + interval '10 hours',
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
