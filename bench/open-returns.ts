import type { EntityManager } from '@mikro-orm/postgresql';
import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import { createUpdate } from '../workflows/returns/messages.ts';
import { returnId } from '../workflows/support/return-id.ts';
import { firstIds } from './shop.ts';

export interface OpenReturns {
  em: EntityManager;
  client: Client;
  count: number;
  /** The worker's present memory, in MB. */
  workerMb: () => number;
  say: (line: string) => void;
}

const firstReturn = 97_000_001;
const askedAtOnce = 50;
const reportEvery = 5_000;
const longestMs = 2 * 60 * 60_000;
const taskQueue = 'pos';

/**
 * Parked returns, each with a workflow that waits for a cashier: rows by one statement, workflows a few at a time.
 * Each is asked whether it is ready, as the route does, so the worker never falls far behind.
 */
export async function openReturns({ em, client, count, workerMb, say }: OpenReturns): Promise<void> {
  say(`Opening ${count} returns …`);
  await em.execute(
    `insert into sale_return (return_id, increment_id, order_id, status, refund_method, requested_refund_method, is_auto_approved)
     select ${firstReturn} + n, 'R' || n, ${firstIds.sales_order}, 'awaiting_refund', 'cash', 'cash', true
     from generate_series(0, ${count - 1}) n`,
  );
  await em.execute('analyze sale_return');
  const start = performance.now();
  let next = 0;
  const opener = async () => {
    for (let at = next++; at < count; at = next++) {
      await open(client, firstReturn + at);
      const ms = performance.now() - start;
      if (ms > longestMs) throw new Error(`Only ${at} of ${count} returns are open after two hours.`);
      if ((at + 1) % reportEvery !== 0) continue;
      say(`  ${at + 1} of ${count}, ${Math.round(((at + 1) * 1_000) / ms)} a second, the worker at ${workerMb()} MB`);
    }
  };
  await Promise.all(Array.from({ length: askedAtOnce }, opener));
  say(`  ${Math.round((count * 1_000) / (performance.now() - start))} a second`);
}

const open = (client: Client, rmaId: number) =>
  client.workflow.executeUpdateWithStart(createUpdate, {
    args: [{ operationKey: `open-${rmaId}`, beginBefore: '2999-01-01', by: 'bench', requestId: `open-${rmaId}` }],
    startWorkflowOperation: new WithStartWorkflowOperation('returnWorkflow', {
      workflowId: returnId(rmaId),
      taskQueue,
      args: [{ rmaId }],
      workflowIdConflictPolicy: 'USE_EXISTING',
    }),
  });
