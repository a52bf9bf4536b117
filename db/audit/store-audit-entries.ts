import type { EntityManager } from '@mikro-orm/postgresql';
import { insertRows, into } from '../support/write-rows.ts';
import { AuditEntry, type changeSources } from './audit-entry.entity.ts';

/** A change that a register reports (spec 2.15). */
export interface ReportedChange {
  entityType: string;
  entityId: string;
  entityName?: string | undefined;
  fieldName: string;
  oldValue?: string | undefined;
  newValue?: string | undefined;
  changeSource: (typeof changeSources)[number];
  staffId?: number | undefined;
  staffName?: string | undefined;
  terminalId?: number | undefined;
  terminalName?: string | undefined;
  locationId?: number | undefined;
  locationName?: string | undefined;
}

/**
 * Writes the changes from registers in one statement: all entries or none.
 *
 * Each call writes every entry again: nothing in an entry tells a repeat from a second change.
 */
export const storeAuditEntries = (em: EntityManager, entries: readonly ReportedChange[]): Promise<void> =>
  insertRows(em, [into(AuditEntry, entries)]);
