import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { recordFinding } from '../../../db/refunds/record-finding.ts';
import { verify } from '../../../db/verify/verify.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(orm.em.fork()));
});
afterAll(() => orm.close());

const rows = (sql: string, ...parameters: unknown[]) =>
  orm.em.fork().execute<Record<string, unknown>[]>(sql, parameters);

test.each(['53.99', '54.01'])(
  'the gateway gave %s back where 54 is due now: the memo follows the money',
  async (sum) => {
    const { attemptId, orderId } = await aRefundAttempt(orm, { locationId });
    await rows('update refund_attempt set amount = ?, base_amount = ? where attempt_id = ?', sum, sum, attemptId);
    await rows('update sales_order set base_pending_refund = ? where entity_id = ?', sum, orderId);

    await recordFinding(orm.em, {
      attemptId,
      finding: { evidence: 'refunded', gatewayReference: `gw-${sum}` },
      now: new Date(),
    });

    expect(
      await rows('select round(grand_total, 2)::text as total from sales_creditmemo where order_id = ?', orderId),
    ).toEqual([{ total: sum }]);
    expect(await verify(orm.em.fork())).toEqual([]);
  },
);
