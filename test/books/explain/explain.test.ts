import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { explainOrder } from '../../../books/explain/explain-order.ts';
import { explainRefund } from '../../../books/explain/explain-refund.ts';
import { explainReturn } from '../../../books/explain/explain-return.ts';
import { renderStory } from '../../../books/explain/render-story.ts';
import { aDayOfSales } from '../../support/builders/day-of-sales.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
let day: Awaited<ReturnType<typeof aDayOfSales>>;

beforeAll(async () => {
  orm = await testDatabase();
  day = await aDayOfSales(orm.em.fork());
});
afterAll(() => orm.close());

const em = () => orm.em.fork();

test('a return refunded at the second try', async () => {
  expect(renderStory(await explainReturn(em(), '1'))).toMatchInlineSnapshot(`
"Return 000000001: Closed
  Of order 000000001: 2 × Mug (MUG).
  Paid by provider_a, payment pay-1.
  Register sale sale-1.
  The money goes back by original_payment.

2026-11-20 (UTC)
  09:06:00  Return 000000001 was made: 1 × Mug (MUG), because "Too small"; register sale return-of-000000001.
            by High Street · workflow return-1
  09:07:00  1 × MUG, pristine, came in and went to source "floor".
            workflow return-1
  09:08:00  Said: "Handed in by the buyer."
            by Ada · workflow return-1
  09:09:00  Refund attempt 1 was recorded before the gateway was called: through "provider_a", key return-1-1.
            54.00 USD · workflow return-1
  09:09:00  The gateway was asked, once, to answer by 09:09:20.
            workflow return-1
  09:09:00  No money moved (declined: The card was declined.). Attempt 1 failed.
            workflow return-1
  09:10:00  Refund attempt 2 was recorded before the gateway was called: through "provider_a", key return-1-2.
            54.00 USD · workflow return-1
  09:10:00  The gateway was asked, once, to answer by 09:10:20.
            workflow return-1
  09:11:00  The gateway refunded, its reference gw-1. Attempt 2 is booked.
            workflow return-1
  09:11:00  Credit memo 000000001 was booked for 1 × MUG (goods 50.00 USD, tax 4.00 USD), through the gateway.
            54.00 USD · workflow return-1
  09:11:00  status changed from "awaiting_refund" to "closed".
            by Ada · workflow return-1

total 108.00 USD · paid 108.00 USD · still due 0.00 USD · refunded 54.00 USD

What can be done next
  - Nothing: this return is over."
`);
});

test('a return that waits for its refund at the register', async () => {
  expect(renderStory(await explainReturn(em(), '000000002'))).toMatchInlineSnapshot(`
"Return 000000002: Awaiting Refund
  Of order 000000002: 2 × Mug (MUG).
  Paid by cash.
  Register sale sale-2.
  The money goes back by cash.

2026-11-20 (UTC)
  09:15:00  Return 000000002 was made: 1 × Mug (MUG), because "Too small"; register sale return-of-000000002.
            by High Street · workflow return-2
  09:16:00  1 × MUG, pristine, came in and went to source "floor".
            workflow return-2
  09:17:00  Said: "Handed in by the buyer."
            by Ada · workflow return-2

total 108.00 USD · paid 108.00 USD · still due 0.00 USD · refunded 0.00 USD

What can be done next
  - Give the money back: POST /V1/pos/rma/2/settle with a method (cash, terminal, original_payment …).
  - Keep the goods and cancel the refund: POST /V1/pos/rma/2/cancel-refund.
  - Hand the goods back without a refund: POST /V1/pos/rma/2/close."
`);
});

test('a refund whose answer was lost', async () => {
  expect(renderStory(await explainRefund(em(), `refund-attempt-${day.uncertain.attemptId}`))).toMatchInlineSnapshot(`
"Refund attempt 3: uncertain
  Of order 000000003: 2 × Mug (MUG).
  Paid by provider_b, payment pay-3.
  Register sale sale-3.
  For return 000000003, now awaiting_refund.

2026-11-20 (UTC)
  09:24:00  Refund attempt 3 was recorded before the gateway was called: through "provider_b", key return-3-1.
            54.00 USD · workflow return-3
  09:24:00  The gateway was asked, once, to answer by 09:24:20.
            workflow return-3
  09:24:00  It is not known whether the money went back (timeout: No answer within 20 s.). Attempt 3 is uncertain.
            workflow refund-attempt-3

total 108.00 USD · paid 108.00 USD · still due 0.00 USD · refunded 0.00 USD · promised to refunds under way 54.00 USD

What can be done next
  - Ask the gateway again: npm run pos -- refunds reconcile 3
  - Look at the gateway's own page or statement; if the money went back: npm run pos -- refunds resolve 3 refunded --staff NAME --note TEXT
  - If it did not: npm run pos -- refunds resolve 3 not_refunded --staff NAME --note TEXT
  - Until then nothing else of this return is refunded. The service asks the gateway again automatically: soon, then hourly, then daily."
`);
});

test('a whole order', async () => {
  expect(renderStory(await explainOrder(em(), '000000001'))).toMatchInlineSnapshot(`
"Order 000000001: complete
  Paid by provider_a, payment pay-1.
  Register sale sale-1.

2026-11-20 (UTC)
  09:03:00  Order 000000001 was placed: 2 × Mug (MUG).
            108.00 USD
  09:03:00  Receipt 1 was stored.
  09:03:00  The order's history says: "Sale at High Street."
  09:04:00  Invoice 000000001 was made.
            108.00 USD
  09:04:00  Paid, reference invoice-000000001.
            108.00 USD
  09:05:00  2 × MUG left source "floor" (shipment 000000001).
  09:06:00  Return 000000001 was made: 1 × Mug (MUG), because "Too small"; register sale return-of-000000001.
            by High Street · workflow return-1
  09:07:00  1 × MUG, pristine, came in and went to source "floor".
            workflow return-1
  09:08:00  Said: "Handed in by the buyer."
            by Ada · workflow return-1
  09:09:00  Refund attempt 1 was recorded before the gateway was called: through "provider_a", key return-1-1.
            54.00 USD · workflow return-1
  09:09:00  The gateway was asked, once, to answer by 09:09:20.
            workflow return-1
  09:09:00  No money moved (declined: The card was declined.). Attempt 1 failed.
            workflow return-1
  09:10:00  Refund attempt 2 was recorded before the gateway was called: through "provider_a", key return-1-2.
            54.00 USD · workflow return-1
  09:10:00  The gateway was asked, once, to answer by 09:10:20.
            workflow return-1
  09:11:00  The order's history says: "We refunded $54.00 online. Transaction ID: "gw-1""
  09:11:00  The gateway refunded, its reference gw-1. Attempt 2 is booked.
            workflow return-1
  09:11:00  Credit memo 000000001 was booked for 1 × MUG (goods 50.00 USD, tax 4.00 USD), through the gateway.
            54.00 USD · workflow return-1
  09:11:00  status changed from "awaiting_refund" to "closed".
            by Ada · workflow return-1

total 108.00 USD · paid 108.00 USD · still due 0.00 USD · refunded 54.00 USD

What can be done next
  - Nothing needs to be done."
`);
});

test('a story is told in order of time, each thing with who and where', async () => {
  const { events } = await explainOrder(em(), '1');

  expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted());
  expect(events.find(({ who }) => who === 'Ada')).toEqual({
    at: '2026-11-20T09:08:00.000Z',
    who: 'Ada',
    what: 'Said: "Handed in by the buyer."',
    amount: null,
    workflow: 'return-1',
  });
});

test('ids, numbers and workflow ids name the same thing', async () => {
  const story = await explainReturn(em(), '3');

  for (const name of ['000000003', 'return-3', ' 3 ']) expect(await explainReturn(em(), name)).toEqual(story);
  expect(await explainOrder(em(), 'layaway-1')).toEqual(await explainOrder(em(), '1'));
  expect((await explainRefund(em(), '000000001')).title).toBe('Refund attempt 2: booked');
});

test('the workflow id of one thing is never told as another with its number', async () => {
  await expect(explainOrder(em(), 'return-1')).rejects.toMatchObject({ status: 404 });
  await expect(explainReturn(em(), 'refund-attempt-1')).rejects.toMatchObject({ status: 404 });
  await expect(explainRefund(em(), 'return-1')).rejects.toMatchObject({ status: 404 });
});

test('an unknown order, return or refund is refused', async () => {
  await expect(explainOrder(em(), '999')).rejects.toMatchObject({ status: 404, parameters: ['999'] });
  await expect(explainReturn(em(), 'return-')).rejects.toMatchObject({ status: 404 });
  await expect(explainRefund(em(), '99999999999999999999')).rejects.toMatchObject({ status: 404 });
});
