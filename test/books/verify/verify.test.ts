import { beforeAll, expect, test } from '@jest/globals';
import { invariants, verify, type GatewayLedger, type GatewayRefund } from '../../../books/verify/verify.ts';
import { gatewayInvariants } from '../../../books/verify/invariants/processes.ts';
import { aDayOfSales } from '../../support/builders/day-of-sales.ts';
import { booksOf } from '../../support/books.ts';
import { countFromOne } from '../../support/first-id.ts';
import { without } from './damages-beside-orders.ts';
import { damages } from './damages.ts';
import { useDatabase } from '../../support/fixtures.ts';

const orm = useDatabase();

beforeAll(async () => {
  await countFromOne(orm);
  await aDayOfSales(fork());
});

const { fork } = booksOf(() => orm);

const verifyAgain = (em = fork()) => verify(em, { lookAgainAfterMs: 1 });

/** Does damage, looks, and takes it back: even a dropped constraint returns with the rollback. */
async function lookAfter(...damage: string[]) {
  const em = fork();
  await em.begin();
  try {
    for (const statement of damage) await em.execute(statement);
    return await verifyAgain(em);
  } finally {
    await em.rollback();
  }
}

/** What the gateway says it did on the day of sales: it gave 54 back twice, and we know of one. */
const ledger = (): GatewayLedger => ({
  refunds: [
    refund({ idempotencyKey: 'return-1-1', state: 'declined' }),
    refund({ idempotencyKey: 'return-1-2' }),
    refund({ idempotencyKey: 'return-3-1', paymentId: 'pay-3' }),
  ],
  calls: [1, 2, 3].map((attemptId) => ({ merchantReference: `refund-attempt-${attemptId}` })),
});
const refund = (wanted: Partial<GatewayRefund>): GatewayRefund => ({
  idempotencyKey: 'return-1-2',
  amount: '54.00',
  currency: 'USD',
  capturedAmount: '108.00',
  paymentId: 'pay-1',
  state: 'refunded',
  ...wanted,
});

const lookBeside = async (claimed: GatewayLedger) => {
  const findings = await verify(fork(), { readLedger: async () => claimed, lookAgainAfterMs: 1 });
  return findings.map(({ id }) => id);
};

test('a day whose books are right breaks no rule', async () => {
  expect(await verifyAgain()).toEqual([]);
});

test.each(invariants)('$id: $sentence', async ({ id, sentence }) => {
  const findings = await lookAfter(...damages[id]!);

  const finding = findings.find((one) => one.id === id);
  expect(finding).toMatchObject({ id, sentence });
  expect(finding!.rows.length).toBeGreaterThan(0);
});

const truths: Record<string, (claimed: GatewayLedger) => unknown> = {
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
  const claimed = ledger();
  truths[id]!(claimed);

  expect(await lookBeside(claimed)).toContain(id);
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

test('virtual goods are never handed over: they hide no promise that a finished order still keeps', async () => {
  const findings = await lookAfter(
    `delete from inventory_reservation where event_type = 'shipment_created' and order_id = 2`,
    'delete from sales_shipment where order_id = 2',
    'update sales_order_item set is_virtual = true, qty_shipped = 0 where order_id = 2',
  );

  expect(findings).toMatchObject([{ id: 'Q-01', rows: [{ order_id: 2, sku: 'MUG', still_reserved: '-2.0000' }] }]);
});

test('a thousand broken rows are told by the first fifty', async () => {
  const findings = await lookAfter(
    `insert into sales_money_in (order_id, kind, amount, base_amount) select 2, 'invoice', 0, 0 from generate_series(1,
      1000)`,
  );

  expect(findings).toMatchObject([{ id: 'I-05c', hasMore: true }]);
  expect(findings[0]!.rows).toHaveLength(50);
});

test('fifty broken rows are all there are', async () => {
  const findings = await lookAfter(
    `insert into sales_money_in (order_id, kind, amount, base_amount) select 2, 'invoice', 0, 0 from generate_series(1,
      50)`,
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
