import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { recordFinding } from '../../../db/refunds/record-finding.ts';
import { startGatewaySettlement } from '../../../db/returns/start-gateway-settlement.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import type { RefundFinding } from '../../../domain/refunds/refund-finding.ts';
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

/** The keys of an attempt that ended so, and of the one after it. */
async function keysAround(finding: RefundFinding): Promise<string[]> {
  const { attemptId, returnId } = await aRefundAttempt(orm, { locationId, state: 'uncertain' });
  expect((await recordFinding(orm.em, { attemptId, finding, now: new Date() })).state).toBe('failed');
  await startGatewaySettlement(orm.em, { returnId, options: plainSettlement, canRefundThrough: () => true });
  const attempts = await orm.em
    .fork()
    .execute<{ idempotency_key: string }[]>(
      'select idempotency_key from refund_attempt where return_id = ? order by attempt_id',
      [returnId],
    );
  return attempts.map(({ idempotency_key }) => idempotency_key);
}

test('after a doubt the next attempt is the same intent under the same key: a call that comes late is no second refund', async () => {
  const [first, second] = await keysAround({
    evidence: 'not_refunded',
    resolvedBy: 'Olga',
    resolutionNote: 'not in the portal',
  });

  expect(second).toBe(first);
});

test.each(['not_sent', 'not_processed'])(
  'a call that was %s refused nothing: a call of before that comes late and the next one stay one refund',
  async (gatewayOutcome) => {
    const [first, second] = await keysAround({ evidence: 'not_refunded', isFinal: true, gatewayOutcome });

    expect(second).toBe(first);
  },
);

test('a definite no ends the intent: the next attempt has a key of its own, or it would be told the old no', async () => {
  const declined = { evidence: 'not_refunded', isFinal: true, endsIntent: true, gatewayOutcome: 'declined' } as const;
  const [first, second] = await keysAround(declined);

  expect(second).not.toBe(first);
});
