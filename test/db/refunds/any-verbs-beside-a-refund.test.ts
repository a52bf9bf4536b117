import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import fc from 'fast-check';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { layawayInvariants } from '../../../books/verify/invariants/layaways.ts';
import { verify } from '../../../books/verify/verify.ts';
import { PosError } from '../../../domain/errors.ts';
import { anOrder } from '../../support/builders/order.ts';
import { anyVerb, itemAt, lineNumber, type Sold, type Verb } from '../../support/builders/order-verbs.ts';
import { aRefundUnderWay, NoRefundBegun } from '../../support/builders/refund-under-way.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { seed } from '../../support/seed.ts';

const { find, fork, fillShelves } = booksOf(() => orm);

/** POS_RUNS asks for more. */
const runs = Number(process.env['POS_RUNS'] ?? 60);

let orm: MikroORM;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(fork()));
  await fillShelves();
});
afterAll(() => orm.close());

/** What saves do to the attributes of a layaway is no matter of its refunds. */
const ofLayaways = new Set(layawayInvariants.map(({ id }) => id));

const line = fc.record({
  sku: fc.constant('MUG'),
  qty: fc.integer({ min: 1, max: 3 }),
  price: fc.constantFrom('9.99', '33.33', '50'),
  tax: fc.constantFrom('0', '4.01'),
  discount: fc.constantFrom('0', '1.50'),
});
const sale = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 3 }),
  shipping: fc.constantFrom('0', '10'),
  shippingTax: fc.constantFrom('0', '0.80'),
  paid: fc.boolean(),
  layaway: fc.boolean(),
  store: fc.constantFrom({ storeId: 1, rate: '1', currency: 'USD' }, { storeId: 2, rate: '1.36', currency: 'CAD' }),
});
const refund = fc.record({ at: lineNumber, state: fc.constantFrom('started' as const, 'uncertain' as const) });

/** A no leaves everything as it was, and so does a return that was held up; anything else is a fault. */
const unlessRefused = (asked: Promise<unknown>) =>
  asked.catch((error: unknown) => {
    if (!(error instanceof PosError) && !(error instanceof NoRefundBegun)) throw error;
  });

async function askAll(sold: Sold, verbs: readonly Verb[]) {
  for (const { ask } of verbs) await unlessRefused(ask(fork(), sold));
}

const openAttempts = async ({ orderId }: Sold) => {
  const open = { order_id: orderId, state: ['started', 'uncertain'] };
  return (await find('refund_attempt', open, 'attempt_id')).map((row) => row.attempt_id as number);
};

/** What was asked of each order, for the reader of a finding. */
const stories = new Map<number, string[]>();
const storyOf = (row: Record<string, unknown>) => stories.get(Number(row['order_id']));

test(
  'whatever is asked of an order beside its refunds, each of them can be booked',
  async () => {
    let booked = 0;
    const property = fc.asyncProperty(
      sale,
      fc.array(anyVerb, { maxLength: 3 }),
      fc.array(fc.tuple(refund, fc.array(anyVerb, { minLength: 1, maxLength: 5 })), { minLength: 1, maxLength: 2 }),
      async ({ store, ...wanted }, before, refunds) => {
        const card = { method: 'provider_a', lastTransId: 'pay_1', shipped: false };
        const sold = await anOrder(fork(), {
          ...wanted,
          ...store,
          ...card,
          paid: wanted.paid && !wanted.layaway,
        });
        stories.set(sold.orderId, [JSON.stringify({ ...wanted, ...store }), ...before.map(({ name }) => name)]);
        await askAll(sold, before);
        for (const [{ at, state }, beside] of refunds) {
          const { orderId } = sold;
          stories.get(orderId)!.push(`refund ${state} of line ${at}`, ...beside.map(({ name }) => name));
          await unlessRefused(aRefundUnderWay(orm, { orderId, itemId: itemAt(sold, at), locationId, state }));
          await askAll(sold, beside);
        }
        for (const attemptId of await openAttempts(sold)) {
          const finding = { evidence: 'refunded', gatewayReference: `gw-${attemptId}` } as const;
          expect(await recordFinding(orm.em, { attemptId, finding, now: new Date() })).toMatchObject({
            state: 'booked',
          });
          booked += 1;
        }
      },
    );
    await fc.assert(property, { seed, numRuns: runs, endOnFailure: true });
    expect(booked).toBeGreaterThan(0);
    const findings = await verify(fork(), { lookAgainAfterMs: 0 });
    const faults = findings.filter(({ id }) => !ofLayaways.has(id));
    expect(faults.map((finding) => ({ ...finding, stories: finding.rows.map(storyOf) }))).toEqual([]);
  },
  120_000 + runs * 500,
);
