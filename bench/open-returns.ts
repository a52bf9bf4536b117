import type { EntityManager } from '@mikro-orm/postgresql';
import type { Client } from '@temporalio/client';
import { refreshSignal, returnId } from '../workflows/returns/messages.ts';
import { firstIds } from './shop.ts';

export interface OpenReturns {
  em: EntityManager;
  client: Client;
  count: number;
  say: (line: string) => void;
}

const firstReturn = 97_000_001;
const startedAtOnce = 50;
const taskQueue = 'pos';

/** Parked returns with a workflow each that waits for a cashier: rows by one statement, workflows one by one. */
export async function openReturns({ em, client, count, say }: OpenReturns): Promise<void> {
  say(`Opening ${count} returns …`);
  await em.execute(
    `insert into sale_return (return_id, increment_id, order_id, status, refund_method, requested_refund_method, is_auto_approved)
     select ${firstReturn} + n, 'R' || n, ${firstIds.sales_order}, 'awaiting_refund', 'cash', 'cash', true
     from generate_series(0, ${count - 1}) n`,
  );
  await em.execute('analyze sale_return');
  for (let at = 0; at < count; at += startedAtOnce) {
    const some = Array.from({ length: Math.min(startedAtOnce, count - at) }, (_, n) => firstReturn + at + n);
    await Promise.all(some.map((id) => open(client, id)));
    if ((at + startedAtOnce) % 5_000 === 0) say(`  ${at + startedAtOnce} of ${count}`);
  }
  // The last one answers when the worker has come so far.
  await client.workflow.getHandle(returnId(firstReturn + count - 1)).query('state');
}

const open = (client: Client, rmaId: number) =>
  client.workflow.signalWithStart('returnWorkflow', {
    workflowId: returnId(rmaId),
    taskQueue,
    args: [{ rmaId }],
    signal: refreshSignal,
    signalArgs: [],
  });
