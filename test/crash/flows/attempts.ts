import { randomUUID } from 'node:crypto';
import { merchantReference } from '../../../db/refunds/merchant-reference.ts';
import { claimRefundCall } from '../../../db/refunds/refund-intent.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { initialiseReturn } from '../../../db/returns/create-return.ts';
import { aReturn } from '../../support/builders/return.ts';
import { settledFaults, settleUntilClosed, workflowsOf } from '../cashier.ts';
import { unlessEqual, type CrashFlow } from '../crash-flow.ts';
import type { Lane } from '../lane.ts';

const both = ['api', 'worker'] as const;

/** An attempt without a known end, whose call is long over; the gateway did what is said here. */
async function anUncertainAttempt(lane: Lane, { isRefunded }: { isRefunded: boolean }) {
  const { orm, shop, gateway } = lane;
  const { returnId, orderId, orderItemId } = await aReturn(orm, {
    locationId: shop.locationId,
    order: { lastTransId: `pay_${randomUUID()}` },
  });
  const { attempt } = await initialiseReturn(orm.em, { returnId, canRefundThrough: () => true });
  const attemptId = attempt!.attemptId;
  const call = await claimRefundCall(orm.em.fork(), { attemptId, timeoutSeconds: 1 });
  if (isRefunded && call)
    gateway.ledger.refund({
      ...call,
      provider: 'provider_a',
      merchantReference: merchantReference(call),
      orderReference: call.orderIncrementId,
      paymentId: call.paymentReference,
      currency: call.currencyCode,
      captured: call.capturedAmount,
    });
  await recordFinding(orm.em, { attemptId, finding: { evidence: 'unknown' }, now: new Date() });
  await orm.em.fork().execute(
    `update refund_attempt set call_started_at = now() - interval '2 hours',
        call_deadline = now() - interval '1 hour', first_not_found_at = null where attempt_id = ?`,
    [attemptId],
  );
  const sale = { orderId, itemId: orderItemId, incrementId: call?.orderIncrementId ?? '' };
  return { attemptId, rmaId: returnId, sale };
}

export const reconcile: CrashFlow = {
  id: 'F4',
  title: 'reconcile an attempt the gateway did refund',
  processes: both,
  async prepare(lane) {
    const { attemptId, rmaId, sale } = await anUncertainAttempt(lane, { isRefunded: true });
    let state = '';
    return {
      async go() {
        // Where nobody could be asked in time the answer is the state as it was: the operator presses again.
        for (let tries = 0; state === '' || (state === 'uncertain' && tries < patientTries); tries++) {
          const { body } = await lane.teller.press('POST', `/V1/pos/rma/refund-attempts/${attemptId}/reconcile`);
          state = body.state;
        }
      },
      faults: async () => [
        ...unlessEqual('the answer’s state', state, 'booked'),
        ...(await settledFaults(lane, { sale, rmaId, refunds: 1 })),
      ],
      workflows: () => [`refund-attempt-${attemptId}`],
    };
  },
};

const patientTries = 20;

type Verdict = 'refunded' | 'not_refunded';

/** The truth first, then its opposite: the second one hears the state as it is. */
const resolveFlow = (id: string, first: Verdict, second: Verdict): CrashFlow => ({
  id,
  title: `resolve as ${first}, then as ${second}`,
  processes: both,
  async prepare(lane) {
    const { attemptId, rmaId, sale } = await anUncertainAttempt(lane, { isRefunded: first === 'refunded' });
    const say = async (resolution: Verdict) =>
      (
        await lane.teller.press('POST', `/V1/pos/rma/refund-attempts/${attemptId}/resolve`, {
          resolution,
          staffName: 'Olga',
          note: 'seen in the portal',
        })
      ).body.state;
    const states: unknown[] = [];
    let workflows: string[] = [];
    return {
      async go() {
        states.push(await say(first), await say(second));
        await settleUntilClosed(lane, rmaId, 'cash');
        workflows = await workflowsOf(lane, rmaId);
      },
      faults: async () => [
        ...unlessEqual(
          'the answers’ states',
          states,
          first === 'refunded' ? ['booked', 'booked'] : ['failed', 'failed'],
        ),
        ...(await settledFaults(lane, { sale, rmaId, refunds: first === 'refunded' ? 1 : 0 })),
      ],
      workflows: () => workflows,
    };
  },
});

export const attemptFlows = [
  reconcile,
  resolveFlow('F5a', 'refunded', 'not_refunded'),
  resolveFlow('F5b', 'not_refunded', 'refunded'),
];
