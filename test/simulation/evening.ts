import { merchantReference } from '../../db/refunds/merchant-reference.ts';
import { lookNow } from '../support/housekeeping.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Lane } from '../crash/lane.ts';

const answeredWithinMs = 300_000;

interface Open {
  attempt_id: number;
  name_tail: string;
  state: string;
  is_over: boolean;
}

/**
 * An operator comes by and answers every open question truthfully, from the gateway's own ledger, once its call is
 * surely over; what a crash left half-made is taken up by the sweep.
 */
export async function evening(lane: Lane): Promise<void> {
  const { orm, teller, gateway } = lane;
  const em = () => orm.em.fork();
  await Promise.all([lane.processes.api.untilReady(), lane.processes.worker.untilReady()]);
  await waitUntil(
    'every question is answered',
    async () => {
      // The sweep leaves alone what moved just now; by now all registers are still.
      await em().execute(`update sale_return set updated_at = now() - interval '5 minutes' where not is_ready`);
      await lookNow(lane);
      const open = await em().execute<Open[]>(
        `select attempt_id, name_tail, state, coalesce(call_deadline < now() - interval '6 seconds', true) as is_over
         from refund_attempt where state in ('started', 'uncertain')`,
      );
      for (const { attempt_id: attemptId, name_tail: nameTail, state, is_over: isOver } of open) {
        if (state !== 'uncertain' || !isOver) continue;
        const reference = merchantReference({ attemptId, nameTail });
        const isRefunded = gateway.ledger.refunds.some(
          (refund) => refund.state === 'refunded' && refund.references.includes(reference),
        );
        await teller.press('POST', `/V1/pos/rma/refund-attempts/${attemptId}/resolve`, {
          resolution: isRefunded ? 'refunded' : 'not_refunded',
          staffName: 'Olga',
          note: 'evening',
        });
      }
      // Whoever was refused for money closes the return, or asks again.
      const [unfinished] = await em().execute<{ count: number }[]>(
        `select count(*) from sale_return where not is_ready and not waits_for_caller and status not in ('resolved',
          'closed', 'processed_closed', 'rejected', 'denied')`,
      );
      return open.length === 0 && unfinished?.count === 0;
    },
    answeredWithinMs,
  );
}
