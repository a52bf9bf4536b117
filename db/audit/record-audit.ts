import type { EntityManager } from '@mikro-orm/postgresql';
import { insertRows, into, type Written } from '../support/write-rows.ts';
import { AuditEntry, type changeSources } from '../audit.ts';
import { shopNow } from '../support/shop-clock.ts';

/** One change of one field (spec 2.15). It takes the present names. */
export interface Change {
  entityType: string;
  entityId: string | number;
  entityName?: string | undefined;
  fieldName: string;
  oldValue?: string | null | undefined;
  newValue?: string | null | undefined;
  changeSource: (typeof changeSources)[number];
  staffId?: number | undefined;
  staffName?: string | undefined;
  terminalId?: number | undefined;
  terminalName?: string | undefined;
  locationId?: number | undefined;
  locationName?: string | undefined;
}

/**
 * Writes an entry of the audit trail, in the transaction of the change: both are committed or neither.
 *
 * Each call writes one entry, so the caller's guard against running twice protects it, too.
 */
export const recordAudit = (em: EntityManager, change: Change): Promise<void> => insertRows(em, [auditLine(change)]);

/** The same entry, for a statement that writes other rows as well. */
export const auditLine = (change: Change): Written =>
  into(AuditEntry, [
    {
      entityType: change.entityType,
      entityId: String(change.entityId),
      entityName: change.entityName ?? null,
      fieldName: change.fieldName,
      oldValue: change.oldValue ?? null,
      newValue: change.newValue ?? null,
      changeSource: change.changeSource,
      staffId: change.staffId ?? null,
      staffName: change.staffName ?? null,
      terminalId: change.terminalId ?? null,
      terminalName: change.terminalName ?? null,
      locationId: change.locationId ?? null,
      locationName: change.locationName ?? null,
      createdAt: shopNow(),
    },
  ]);
