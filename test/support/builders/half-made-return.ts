import { returnId } from '../../../workflows/support/return-id.ts';
import { createUpdate } from '../../../workflows/returns/messages.ts';
import { WithStartWorkflowOperation } from '@temporalio/client';
import { booksOf } from '../books.ts';
import type { Flow } from '../flow.ts';
import { minutesAgo } from '../moments.ts';

/** A return whose creation a crash interrupted before its goods were taken in: only its rows are there. */
export async function aHalfMadeReturn({ api, shop }: Flow, sale: { orderId: number; itemId: number }): Promise<number> {
  const { insert } = booksOf(() => api.orm);
  const { return_id: id } = await insert('sale_return', {
    ...{ increment_id: `R-${sale.orderId}`, order_id: sale.orderId, location_id: shop.locationId },
    ...{ is_auto_approved: true, requested_refund_method: 'original_payment', is_ready: false },
    updated_at: minutesAgo(5),
  });
  await insert('sale_return_item', {
    ...{ return_id: id, order_item_id: sale.itemId, product_sku: 'MUG', qty_requested: 1 },
  });
  return Number(id);
}

/** Lets the workflow of a return finish what is unfinished, as for a register that asks again. */
export const finishReturn = ({ client, taskQueue }: Flow, rmaId: number) =>
  client.workflow.executeUpdateWithStart(createUpdate, {
    args: [{ operationKey: `finish-${rmaId}`, beginBefore: '2999-01-01', by: 'a register', requestId: 'finish' }],
    startWorkflowOperation: new WithStartWorkflowOperation('returnWorkflow', {
      workflowId: returnId(rmaId),
      taskQueue,
      args: [{ rmaId }],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    }),
  });
