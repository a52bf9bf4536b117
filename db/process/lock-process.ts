import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../domain/errors.ts';
import { lockOrder, type LockedOrder } from '../platform/orders/lock-order.ts';
import { query } from '../support/query.ts';
import { ReturnProcess } from './return-process.entity.ts';

export interface LockedProcess {
  order: LockedOrder;
  process: ReturnProcess;
}

/** Locks the order of a run and reads the run under it: the order's lock is the run's too. 404 for an unknown run. */
export async function lockProcess(em: EntityManager, processId: number): Promise<LockedProcess> {
  const text = 'select order_id from return_process where process_id = $1';
  const [row] = await query<{ order_id: number }>(em, text, [processId]);
  if (!row) throw notFound('Return process with id %1 does not exist', [processId]);
  const order = await lockOrder(em, row.order_id);
  return { order, process: await em.findOneOrFail(ReturnProcess, { processId }, { refresh: true }) };
}
