import type { EntityManager } from '@mikro-orm/postgresql';
import { isTerminal, type ReturnStatus } from '../../domain/returns/return-status.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { LockedReturn } from './locked-return.ts';

/** Moves a locked return and its lines to another status, with a line of audit. An ended return waits for nothing more. */
export async function changeStatus(em: EntityManager, rma: LockedReturn, to: ReturnStatus): Promise<void> {
  const from = rma.status;
  rma.status = to;
  if (isTerminal(to)) rma.isReady = true;
  for (const item of rma.items.getItems()) item.status = to;
  await recordAudit(em, {
    entityType: 'return',
    entityId: String(rma.returnId),
    entityName: rma.incrementId,
    fieldName: 'status',
    oldValue: from,
    newValue: to,
    changeSource: 'api',
  });
}
