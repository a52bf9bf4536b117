import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { keepSettlePayload } from '../../../db/returns/keep-settle-payload.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { verify } from '../../../books/verify/verify.ts';
import { addToPlan, aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(fork()));
});
afterAll(() => orm.close());

const { memosOf, find, fork, change } = booksOf(() => orm);

test.each(['53.99', '54.01'])(
  'the gateway gave %s back where 54 is due now: the memo follows the money',
  async (sum) => {
    const { attemptId, orderId } = await aRefundAttempt(orm, { locationId });
    await change('refund_attempt', { attempt_id: attemptId }, { amount: sum, base_amount: sum });
    await change('sales_order', { entity_id: orderId }, { base_pending_refund: sum });

    await recordFinding(orm.em, {
      attemptId,
      finding: { evidence: 'refunded', gatewayReference: `gw-${sum}` },
      now: new Date(),
    });

    expect(await memosOf(orderId, 'grand_total')).toEqual([{ grand_total: `${sum}00` }]);
    expect(await verify(fork())).toEqual([]);
  },
);

test.each([
  ['a reference of its own', 'gw-own', [{ txn_id: 'T-1' }, { txn_id: 'gw-own' }]],
  ['none', null, [{ txn_id: 'T-1' }]],
  ['the register’s', 'T-1', [{ txn_id: 'T-1' }]],
])(
  'a refund the gateway gives %s is kept under the register’s reference, too',
  async (_case, gatewayReference, kept) => {
    const { attemptId, returnId, orderId } = await aRefundAttempt(orm, { locationId });
    const reported = { reference: 'T-1', requestId: `reported-${attemptId}` };
    await keepSettlePayload(fork(), { requestId: reported.requestId, returnId, rawPayload: 'APPROVED' });
    await addToPlan(orm, attemptId, { reported });

    await recordFinding(orm.em, {
      attemptId,
      finding: { evidence: 'refunded', ...(gatewayReference === null ? {} : { gatewayReference }) },
      now: new Date(),
    });

    const refunds = await find('sales_payment_transaction', { order_id: orderId, txn_type: 'refund' });
    const transactions = refunds.toSorted((one, other) => (one['txn_id'] < other['txn_id'] ? -1 : 1));
    expect(transactions).toMatchObject(kept);
    expect(transactions[0]).toMatchObject({ additional_information: { raw_payload: 'APPROVED' } });
  },
);
