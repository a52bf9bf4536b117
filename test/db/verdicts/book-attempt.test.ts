import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { keepSettlePayload } from '../../../db/returns/keep-settle-payload.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { verify } from '../../../books/verify/verify.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
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

const { fork, rows, write, change } = booksOf(() => orm);

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

    expect(
      await rows('select round(grand_total, 2)::text as total from sales_creditmemo where order_id = ?', orderId),
    ).toEqual([{ total: sum }]);
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
    const told = { reference: 'T-1', requestId: `told-${attemptId}` };
    await keepSettlePayload(fork(), { requestId: told.requestId, returnId, rawPayload: 'APPROVED' });
    await write(
      `update refund_attempt set plan = plan || ?::jsonb where attempt_id = ?`,
      JSON.stringify({ reported: told }),
      attemptId,
    );

    await recordFinding(orm.em, {
      attemptId,
      finding: { evidence: 'refunded', ...(gatewayReference === null ? {} : { gatewayReference }) },
      now: new Date(),
    });

    const transactions = await rows(
      `select txn_id, additional_information as told from sales_payment_transaction
     where order_id = ? and txn_type = 'refund' order by txn_id`,
      orderId,
    );
    expect(transactions).toMatchObject(kept);
    expect(transactions[0]).toMatchObject({ told: { raw_payload: 'APPROVED' } });
  },
);
