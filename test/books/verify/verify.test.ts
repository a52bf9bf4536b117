import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { GatewayLedger, GatewayRefund } from '../../../books/verify/gateway-ledger.ts';
import { gatewayInvariants } from '../../../books/verify/invariants/gateway.ts';
import { invariants } from '../../../books/verify/invariants.ts';
import { verify } from '../../../books/verify/verify.ts';
import { aDayOfSales } from '../../support/builders/day-of-sales.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;

beforeAll(async () => {
  orm = await testDatabase();
  await aDayOfSales(orm.em.fork());
});
afterAll(() => orm.close());

const look = (em = orm.em.fork()) => verify(em, { lookAgainAfterMs: 1 });

/** Does damage, looks, and takes it back: even a dropped constraint returns with the rollback. */
async function lookAfter(...damage: string[]) {
  const em = orm.em.fork();
  await em.begin();
  try {
    for (const statement of damage) await em.execute(statement);
    return await look(em);
  } finally {
    await em.rollback();
  }
}

const without = (table: string, ...constraints: string[]) =>
  `alter table ${table} ${constraints.map((name) => `drop constraint ${name}`).join(', ')}`;

/** What the gateway says it did on the day of sales: it gave 54 back twice, and we know of one. */
const ledger = (): GatewayLedger => ({
  refunds: [
    refund({ idempotencyKey: 'return-1-1', state: 'declined' }),
    refund({ idempotencyKey: 'return-1-2' }),
    refund({ idempotencyKey: 'return-3-1', paymentId: 'pay-3' }),
  ],
  calls: [1, 2, 3].map((attemptId) => ({ merchantReference: `refund-attempt-${attemptId}` })),
});
const refund = (told: Partial<GatewayRefund>): GatewayRefund => ({
  idempotencyKey: 'return-1-2',
  amount: '54.00',
  currency: 'USD',
  capturedAmount: '108.00',
  paymentId: 'pay-1',
  state: 'refunded',
  ...told,
});

const lookBeside = async (told: GatewayLedger) => {
  const findings = await verify(orm.em.fork(), { readLedger: async () => told, lookAgainAfterMs: 1 });
  return findings.map(({ id }) => id);
};

/** A credit of ten on the second order that nothing else knows of. */
const aCredit = (use: 'tender' | 'discount') =>
  `insert into order_credit (order_id, kind, provider_code, applies_as, website_id, base_amount, amount, spend_key)
   values (2, 'gift_card', 'gift_card', '${use}', 1, 10, 10, 'x')`;

/** So much of that credit given back without a memo. */
const aLeg = (amount: number) =>
  `insert into order_credit_return (credit_id, base_amount, amount, return_key, state)
   select credit_id, ${amount}, ${amount}, 'leg', 'booked' from order_credit`;

/** A gift card with five on it, and points of a customer, that no entry speaks of. */
const aCard = `insert into gift_card (code, code_key, website_id, base_currency_code, balance) values ('C', 'C', 1, 'USD', 5)`;
const aMember = [
  `insert into customer (website_id, store_id, group_id, email, firstname, lastname) values (1, 1, 1, 'r@shop.test', 'R', 'P')`,
  `insert into reward_points_account (customer_id, website_id, balance) select max(id), 1, 5 from customer`,
];
const pointsEntry = (kind: string, delta: number, after: number) =>
  `insert into reward_points_entry (account_id, kind, delta, balance_after, order_id, reason, key)
   select account_id, '${kind}', ${delta}, ${after}, 2, 'why', '${kind}-${after}' from reward_points_account`;
const aCreditRefund = (state: string, amount: number, orderId = 2) =>
  `insert into credit_refund (order_id, kind, provider_code, code, website_id, amount, base_amount, currency_code,
     base_currency_code, reason, state, created_at, concluded_at)
   values (${orderId}, 'gift_card', 'gift_card', 'C', 1, ${amount}, ${amount}, 'USD', 'USD', 'why', '${state}',
     now() - interval '1 hour', ${state === 'reserved' ? 'null' : 'now()'})`;

/** How somebody's hand, or a bug, breaks each rule of the day of sales. */
const damages: Record<string, string[]> = {
  'I-04': [
    without('sales_order', 'sales_order_never_overpaid'),
    'update sales_order set total_paid = 108.01 where entity_id = 2',
  ],
  'I-04b': [
    without('sales_order', 'sales_order_paid_not_negative', 'sales_order_never_over_refunded'),
    `update sales_order set base_total_refunded = 'NaN' where entity_id = 2`,
  ],
  'I-05': ['update sales_money_in set amount = 107.99 where order_id = 2'],
  'I-05b': [
    'drop index sales_money_in_reference_once',
    `insert into sales_money_in (order_id, kind, reference, amount, base_amount)
     select 2, 'layaway_capture', 'the same', 1, 1 from generate_series(1, 2)`,
  ],
  'I-05c': [`insert into sales_money_in (order_id, kind, amount, base_amount) values (2, 'invoice', 0, 0)`],
  'I-10': [
    without('sales_order', 'sales_order_never_over_refunded'),
    'update sales_order set base_total_refunded = 108.01 where entity_id = 1',
  ],
  'I-10g': ['update sales_money_in set amount = 50, base_amount = 50 where order_id = 1'],
  'I-10h': [aCredit('tender'), aLeg(10), 'update sales_money_in set amount = 5, base_amount = 5 where order_id = 2'],
  'I-10i': [aCreditRefund('booked', 1)],
  'I-10j': [aCredit('tender'), aLeg(11)],
  'I-10k': ['update sales_order set returned_without_memo = 1 where entity_id = 2'],
  'I-14': ['update sales_order set pos_credit_due = -1 where entity_id = 2'],
  'I-04c': [
    `update sales_order set state = 'pending_payment', pos_layaway_status = 'open', pos_layaway_balance_owed = 1 where entity_id = 2`,
  ],
  'I-14b': [`insert into sales_money_in (order_id, kind, amount, base_amount) values (2, 'credit_due', 1, 1)`],
  'I-17b': [
    `insert into layaway_cancellation (order_id, operation_key, fee_percent, fee, base_fee, refund, base_refund)
     values (2, 'a request', 0, 0, 0, 0, 0)`,
  ],
  'W-2': [
    `update sales_order set pos_layaway_status = 'open', created_at = now() - interval '3 hours' where entity_id = 2`,
  ],
  'W-2b': [
    `update sales_order set pos_layaway_status = 'open', pos_layaway_followed_at = now(),
       pos_layaway_expires_at = now() - interval '3 hours', total_paid = 100 where entity_id = 2`,
  ],
  'I-17c': [
    `update sales_order set pos_layaway_followed_at = '2020-01-01' where entity_id = 2`,
    `update sales_money_in set kind = 'invoice' where order_id = 2`,
  ],
  'I-17d': [
    `update sales_order set pos_layaway_status = 'open', pos_layaway_followed_at = '2020-01-01'`,
    'update sales_invoice set state = 1',
  ],
  'I-17': [`update sales_order set pos_layaway_status = 'cancelled' where entity_id = 2`],
  'O-01': [
    without('sales_order_item', 'sales_order_item_within_ordered'),
    'update sales_order_item set qty_shipped = 3 where order_id = 2',
  ],
  'S-01': [`update sales_order set state = 'holded' where entity_id = 3`],
  'S-02': [`update sales_order_payment set last_trans_id = 'pay-1' where order_id = 3`],
  'S-03': ['update sales_order set shipping_refunded = 10, shipping_amount = 4 where entity_id = 2'],
  'S-03b': [
    `update sales_order set pending_memos = '[{"refundAttemptId": 3, "figures": {"base": {"shippingAmount": -60000}}}]'
     where entity_id = 3`,
  ],
  'S-04': ['update sales_order set base_tax_amount = 7 where entity_id = 2'],
  'S-04b': ['update sales_order_item set row_total = 90 where order_id = 2'],
  'S-05': [
    without('sales_order', 'sales_order_never_over_refunded'),
    'update sales_order set base_total_paid = 0, base_total_refunded = 0 where entity_id = 2',
  ],
  'O-02': ['update sales_shipment_item set qty = 1'],
  'O-03': [
    without('sales_order', 'sales_order_increment_id_once_per_store'),
    `update sales_order set increment_id = '000000002'`,
  ],
  'N-01': ['update sales_invoice set grand_total = 107.99 where order_id = 2'],
  'N-02': ['update sales_invoice_item set row_total = 99'],
  'N-04': ['update sales_invoice set tax_amount = 7.99 where order_id = 2'],
  'N-03': ['update sales_order set total_paid = 100 where entity_id = 2'],
  'M-01b': ['update sales_creditmemo set base_grand_total = 54.001 where order_id = 1'],
  'M-01': ['update sales_order set total_refunded = 54.01 where entity_id = 1'],
  'M-02': ['update sales_order set tax_refunded = 3.99 where entity_id = 1'],
  'M-03': ['update sales_creditmemo set tax_amount = 4.01'],
  'M-04': ['update sales_creditmemo_item set row_total = 49.99'],
  'M-05': ['update sales_order_item set qty_refunded = 2 where order_id = 1'],
  'M-06': ['update sales_creditmemo_item set order_item_id = 2'],
  'M-07': ['update sales_order_payment set amount_refunded = 0'],
  'I-31': [`delete from sales_order_status_history where entity_name = 'creditmemo'`],
  'I-07': ['update sales_creditmemo set refund_attempt_id = null'],
  'I-07b': ['update sales_creditmemo set refund_attempt_id = null'],
  'I-07c': [`update refund_attempt set base_amount = 54.01 where state = 'booked'`],
  'I-08': [
    'drop index refund_attempt_one_open_per_return',
    `update refund_attempt set state = 'uncertain', return_id = 3 where state = 'failed'`,
  ],
  'I-08b': [
    'drop index refund_attempt_gateway_reference_once',
    `update refund_attempt set gateway_reference = 'gw-1', payment_method = 'provider_a'`,
  ],
  'I-08c': [
    `update refund_attempt set idempotency_key = 'return-1-2', state = 'booked', credit_memo_id = 1 where state = 'failed'`,
  ],
  'I-10b': [`update refund_attempt set base_amount = 108.01 where state = 'uncertain'`],
  'I-10c': ['update sales_order set base_pending_refund = 0 where entity_id = 3'],
  'I-10f': ['update sales_order set pending_memos = null where entity_id = 3'],
  'I-12': ['update sale_return set credit_memo_id = 1 where return_id = 3'],
  'I-31c': [`update sale_return set status = 'received', refund_method = null where return_id = 2`],
  'I-31b': [`update refund_attempt set resolved_by = 'Ada' where state = 'booked'`],
  'I-06': [
    without('sale_return', 'sale_return_pos_sale_id_unique'),
    `update sale_return set pos_sale_id = 'the same sale'`,
  ],
  'R-04': ['update sale_return set base_handback = 50 where return_id = 1'],
  'R-05': ['update sale_return set base_refund_total = 50, base_handback = 50 where return_id = 1'],
  'I-18': ['update sale_return_item set qty_requested = 3'],
  'I-18b': [
    'update sale_return set credit_memo_id = null, base_refund_total = null, base_handback = null where return_id = 1',
    `update sales_creditmemo set created_at = '2026-11-01'`,
    `update sale_return_item set qty_requested = 2`,
    `update sale_return set status = 'awaiting_refund' where return_id = 1`,
  ],
  'I-18c': ['update sale_return_item set order_item_id = 3 where return_id = 1'],
  'I-19': [`update sale_return_movement set kind = 'closed'`],
  'I-19c': [`update sale_return set status = 'closed' where return_id = 2`],
  'I-19b': [
    without('inventory_source_item', 'inventory_source_item_not_negative'),
    'update inventory_source_item set quantity = -1',
  ],
  'R-01': [`update sale_return set status = 'awaiting_refund' where return_id = 1`],
  'R-03': [`update sale_return set status = 'resolved' where return_id = 1`],
  'R-02': ['update sale_return set refund_method = null where return_id = 2'],
  'Q-01': [`delete from inventory_reservation where event_type = 'shipment_created'`],
  'Q-02': [`delete from inventory_reservation where event_type = 'order_placed'`],
  'C-01': [
    `insert into customer (website_id, store_id, group_id, email, firstname, lastname) values (1, 1, 1, 'c-01@shop.test', 'C', 'One')`,
    without('quote', 'quote_active_until_ordered'),
    `insert into quote (customer_id, website_id, store_id, order_id) select max(id), 1, 1, 1 from customer`,
  ],
  'C-02': [
    `insert into customer (website_id, store_id, group_id, email, firstname, lastname) values (1, 1, 1, 'c-02@shop.test', 'C', 'Two')`,
    `insert into quote (customer_id, website_id, store_id, is_active, order_id) select max(id), 1, 1, false, 1 from customer`,
  ],
  'C-03': [
    `insert into customer (website_id, store_id, group_id, email, firstname, lastname) values (1, 1, 1, 'c-03@shop.test', 'C', 'Three')`,
    'drop index quote_one_active_per_customer',
    `insert into quote (customer_id, website_id, store_id) select max(id), 1, 1 from customer, generate_series(1, 2) group by generate_series`,
  ],
  'L-01': [aCredit('tender')],
  'L-02': [
    without('order_credit', 'order_credit_never_over_returned'),
    aCredit('discount'),
    'update order_credit set base_returned = 11',
  ],
  'L-03': [aCredit('discount'), 'update order_credit set points_returned = 0, amount_returned = 1'],
  'L-04': [
    aCredit('discount'),
    `insert into order_credit_return (credit_id, credit_memo_id, base_amount, amount, return_key, state)
     select credit_id, 1, 1, 1, 'x', 'booked' from order_credit`,
  ],
  'L-05': [aCredit('discount'), 'update order_credit set amount_reserved = 1'],
  'L-06': [aCredit('discount'), `update order_credit set provider_code = 'store_credit'`],
  'L-07': [aCredit('discount'), `update order_credit set provider_code = 'elsewhere'`],
  'L-08': [
    `insert into credit_spending (request_key, position, kind, provider_code, store_id, website_id, code, base_amount, amount,
       base_currency_code, updated_at)
     values ('sale-x', 1, 'gift_card', 'elsewhere', 1, 1, 'C', 10, 10, 'USD', now() - interval '61 minutes')`,
  ],
  'I-01': [
    without('pos_held_cart', 'pos_held_cart_cart_key_unique'),
    'insert into pos_held_cart (location_id, cart_uuid, cart_data) select location_id, cart_uuid, cart_data from pos_held_cart',
  ],
  'I-22': [
    'alter table store_credit_wallet disable trigger user',
    without('store_credit_wallet', 'store_credit_wallet_not_negative'),
    `update store_credit_wallet set amount = 'NaN'`,
  ],
  'I-23': ['alter table store_credit_wallet disable trigger user', 'update store_credit_wallet set amount = 514'],
  'I-23b': [
    'alter table store_credit_entry disable trigger user',
    `update store_credit_entry set balance_after = 14 where idempotency_key = 'b'`,
  ],
  'I-24': [
    'alter table store_credit_entry disable trigger user',
    'drop index store_credit_entry_key_once',
    `insert into store_credit_entry (wallet_id, event_type, delta, balance_after, reason, idempotency_key)
     select wallet_id, event_type, delta, balance_after, reason, idempotency_key from store_credit_entry`,
  ],
  'K-01': [without('gift_card', 'gift_card_not_negative'), aCard, 'update gift_card set balance = -1'],
  'K-02': [aCard],
  'K-03': [
    aCard,
    `insert into gift_card_entry (card_id, kind, delta, balance_after, reason, key)
     select card_id, 'issued', 5, 4, 'why', 'x' from gift_card`,
  ],
  'B-01': [
    without('reward_points_account', 'reward_points_account_not_negative'),
    ...aMember,
    'update reward_points_account set balance = -1',
  ],
  'B-02': aMember,
  'B-03': [...aMember, pointsEntry('given', 5, 4)],
  'B-04': [...aMember, pointsEntry('earned', 2, 2), pointsEntry('earned', 3, 5)],
  'B-05': [`insert into reward_points_due (order_id, created_at) values (2, now() - interval '1 hour')`],
  'I-13': [aCreditRefund('booked', 100_000)],
  'I-13b': [aCreditRefund('reserved', 1)],
  'I-13c': [aCreditRefund('booked', 1)],
  // Its memo went back to the card.
  'I-13d': [aCreditRefund('booked', 10, 1)],
  'G-01': ['alter table pos_receipt disable trigger pos_receipt_frozen'],
  'I-20': [
    without('pos_receipt', 'pos_receipt_pos_order_id_unique'),
    'alter table pos_receipt disable trigger user',
    `update pos_receipt set pos_order_id = 'the same sale'`,
  ],
  'I-20b': ['update pos_receipt set order_increment_id = null'],
  'I-20c': [
    'drop index if exists sales_order_pos_sale_id_once',
    `update sales_order set pos_sale_id = 'the same sale' where entity_id in (1, 2)`,
  ],
  'I-20d': [`update pos_receipt set order_increment_id = null, updated_at = now() - interval '8 days'`],
  'I-21': [
    `update pos_receipt set claimed_at = now(), customer_id = 99, claimed_order_id = (select min(entity_id) from sales_order)`,
  ],
  'I-26': [
    without('pos_terminal', 'pos_terminal_device_identifier_unique'),
    `update pos_terminal set device_identifier = 'till-1'`,
  ],
  'I-29': [
    `insert into pos_telemetry_event (recorded_on, recorded_at, received_at, event_type, event_name, value)
     select current_date - 1, now(), now() - interval '5 hours', 'counter', 'sale', 1 from generate_series(1, 3)`,
    `insert into pos_telemetry_summary (day, location_id, event_type, event_name, event_count, value_count, value_sum, summarised_at)
     values (current_date - 1, 0, 'counter', 'sale', 3, 3, 2, now())`,
  ],
  'T-01': [
    `insert into pos_audit_log_count (grain, size, bucket, counted, least_key, greatest_key)
     values ('shop', 'day', '2026-11-21', 1, 1, 1)`,
  ],
  'T-02': [
    `insert into pos_receipt_count (grain, size, bucket, counted, least_key, greatest_key)
     values ('shop', 'day', '2026-11-21', 1, 1, 1)`,
  ],
  'T-03': [`insert into pos_list_count (list, type_id, counted) values ('product', 'simple', 1)`],
  'I-30': [`update refund_attempt set state = 'started' where state = 'uncertain'`],
  'I-30b': [
    'delete from sale_return_comment',
    "update sale_return set is_ready = false, updated_at = now() - interval '1 hour' where return_id = 2",
  ],
  'I-30d': [
    `insert into return_process (order_id, request_key, resolution, is_online, updated_at)
     values (2, 'stuck', 'refund', false, now() - interval '1 hour')`,
  ],
  'P-01': [
    `insert into return_process (order_id, request_key, resolution, is_online, state, credit_memo_id)
     select 2, 'odd', 'refund', false, 'done', entity_id from sales_creditmemo where order_id <> 2 limit 1`,
  ],
  'P-02': [
    `insert into return_process (order_id, request_key, resolution, is_online, state, credit_memo_id, store_credit_issued)
     select order_id, 'odd', 'store_credit', false, 'done', entity_id, 5 from sales_creditmemo limit 1`,
  ],
  'P-03': [
    `insert into return_process (order_id, request_key, resolution, is_online, state)
     values (2, 'odd', 'refund', false, 'refused')`,
  ],
  'I-30c': [
    `create view public.pg_stat_activity as select current_database() as datname, 1 as pid, 'api' as application_name,
       'idle in transaction' as state, now() - interval '31 seconds' as xact_start, 'select 1' as query`,
    'set local search_path = public, pg_catalog',
  ],
};

test('a day whose books are right breaks no rule', async () => {
  expect(await look()).toEqual([]);
});

test.each(invariants)('$id: $sentence', async ({ id, sentence }) => {
  const findings = await lookAfter(...damages[id]!);

  const finding = findings.find((one) => one.id === id);
  expect(finding).toMatchObject({ id, sentence });
  expect(finding!.rows.length).toBeGreaterThan(0);
});

const truths: Record<string, (told: GatewayLedger) => unknown> = {
  'I-09': ({ calls }) => calls.push({ merchantReference: 'refund-attempt-2' }),
  'I-09b': ({ refunds }) => refunds.push(refund({})),
  'I-10d': ({ refunds }) => Object.assign(refunds[1]!, { amount: '108.01' }),
  'I-10e': ({ refunds }) => Object.assign(refunds[1]!, { amount: '108.01' }),
  'I-11': ({ refunds }) => Object.assign(refunds[1]!, { state: 'declined' }),
  'I-11b': ({ refunds }) => refunds.push(refund({ idempotencyKey: 'somebody else', amount: '1.00' })),
};

test('our books and the gateway agree, an uncertain refund left aside', async () => {
  expect(await lookBeside(ledger())).toEqual([]);
});

test.each(gatewayInvariants)('$id: $sentence', async ({ id }) => {
  const told = ledger();
  truths[id]!(told);

  expect(await lookBeside(told)).toContain(id);
});

test('every rule has a number of its own, and damage done for it here', () => {
  const ids = [...invariants, ...gatewayInvariants].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(Object.keys({ ...damages, ...truths }).toSorted()).toEqual(ids.toSorted());
});

test('a finding carries the rows that break the rule', async () => {
  expect(await lookAfter('update sales_order set total_paid = 100 where entity_id = 2')).toMatchObject([
    { id: 'I-05', rows: [{ order_id: 2, increment_id: '000000002', total_paid: '100.0000', money_in: '108.0000' }] },
    { id: 'N-03', rows: [{ order_id: 2 }] },
  ]);
});

test('a guard that was dropped is missed, whatever kind it is', async () => {
  const findings = await lookAfter(
    'drop index refund_attempt_one_open_per_return',
    without('sales_order', 'sales_order_never_overpaid'),
    'drop trigger pos_held_cart_stays_claimed on pos_held_cart',
  );

  expect(findings).toMatchObject([
    {
      id: 'G-01',
      rows: [
        { missing: 'trigger', name: 'pos_held_cart_stays_claimed', on_table: 'pos_held_cart' },
        { missing: 'unique index', name: 'refund_attempt_one_open_per_return' },
        { missing: 'check', name: 'sales_order_never_overpaid' },
      ],
    },
  ]);
});

test('a layaway that owes nothing never expires, so it may stay open beyond its day', async () => {
  const findings = await lookAfter(
    `update sales_order set pos_layaway_status = 'open', pos_layaway_followed_at = now(),
       pos_layaway_expires_at = now() - interval '3 hours' where entity_id = 2`,
  );

  expect(findings).toEqual([]);
});

test('virtual goods are handed over by nobody: they hide no promise that a finished order still keeps', async () => {
  const findings = await lookAfter(
    `delete from inventory_reservation where event_type = 'shipment_created' and order_id = 2`,
    'delete from sales_shipment where order_id = 2',
    'update sales_order_item set is_virtual = true, qty_shipped = 0 where order_id = 2',
  );

  expect(findings).toMatchObject([{ id: 'Q-01', rows: [{ order_id: 2, sku: 'MUG', still_reserved: '-2.0000' }] }]);
});

test('a thousand broken rows are told by the first fifty', async () => {
  const findings = await lookAfter(
    `insert into sales_money_in (order_id, kind, amount, base_amount) select 2, 'invoice', 0, 0 from generate_series(1, 1000)`,
  );

  expect(findings).toMatchObject([{ id: 'I-05c', hasMore: true }]);
  expect(findings[0]!.rows).toHaveLength(50);
});

test('fifty broken rows are all there are', async () => {
  const findings = await lookAfter(
    `insert into sales_money_in (order_id, kind, amount, base_amount) select 2, 'invoice', 0, 0 from generate_series(1, 50)`,
  );

  expect(findings).toMatchObject([{ id: 'I-05c', hasMore: false }]);
  expect(findings[0]!.rows).toHaveLength(50);
});

test('a rule that work in flight breaks for a moment is not told', async () => {
  const findings = await lookAfter(
    `delete from inventory_reservation where event_type = 'shipment_created'`,
    // Each look moves the figures, as each moment of real work would: no row is the same twice.
    'create sequence moments',
    'alter table inventory_reservation rename to stored_reservation',
    `create view inventory_reservation as
     select reservation_id, stock_id, sku, quantity - nextval('moments') as quantity, order_id from stored_reservation`,
  );

  expect(findings.map(({ id }) => id)).not.toContain('Q-01');
});
