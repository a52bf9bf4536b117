import type { EntityManager } from '@mikro-orm/postgresql';
import { returnNotDeletable } from '../../domain/refusals/returns.ts';
import { deletableStatuses, labelOf } from '../../domain/returns/return-status.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';
import { lockReturn } from './lock-return.ts';

/**
 * Deletes a return that nothing came of: nobody approved it, or it was refused. A repeat finds nothing.
 *
 * A return that another system was told of, or that a refund, a stock movement or a collapsed run belongs to, stays:
 * the books need it.
 *
 * Refused with: 404 unknown return · 400 one that must stay.
 */
export const deleteReturn = (em: EntityManager, returnId: number): Promise<void> =>
  transact(em, async (tx) => {
    const { rma } = await lockReturn(tx, returnId);
    if ((await remove.run(tx, { returnId })) > 0) return;
    throw returnNotDeletable([rma.incrementId, labelOf(rma.status)]);
  });

const remove = sql('delete-return.remove')`
  delete from sale_return r
  where r.return_id = $returnId and r.provider_code = 'builtin' and r.is_ready and r.credit_memo_id is null
    and r.status in (${deletableStatuses.map((status) => `'${status}'`).join(', ')})
    and not exists (select from refund_attempt a where a.return_id = r.return_id) and not r.has_tenders
    and not exists (select from return_process p where p.return_id = r.return_id)
    and not exists (select from sale_return_movement m join sale_return_item i on i.entity_id = m.return_item_id
      where i.return_id = r.return_id)`;
