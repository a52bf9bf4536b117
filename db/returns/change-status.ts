import type { EntityManager } from '@mikro-orm/postgresql';
import { isTerminal, type ReturnStatus } from '../../domain/returns/return-status.ts';
import { auditLine } from '../audit/record-audit.ts';
import { insertRows, type Written } from '../support/write-rows.ts';
import type { LockedReturn } from './lock-return.ts';

/** Changes the status of a locked return and its lines, with an audit entry. An ended return waits for nothing more. */
export const changeStatus = (em: EntityManager, rma: LockedReturn, to: ReturnStatus): Promise<void> =>
  insertRows(em, [moveTo(rma, to)]);

/** The same, for a statement that writes other rows as well; it returns the audit entry. */
export function moveTo(rma: LockedReturn, to: ReturnStatus): Written {
  const from = rma.status;
  rma.status = to;
  if (isTerminal(to)) rma.isReady = true;
  for (const item of rma.items) item.status = to;
  return auditLine({
    entityType: 'return',
    entityId: String(rma.returnId),
    entityName: rma.incrementId,
    fieldName: 'status',
    oldValue: from,
    newValue: to,
    changeSource: 'api',
  });
}
