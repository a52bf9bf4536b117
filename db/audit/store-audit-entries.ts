import type { EntityManager } from '@mikro-orm/postgresql';
import { insertRows, into } from '../support/write-rows.ts';
import { AuditEntry, type changeSources } from './audit-entry.entity.ts';

/** A change as a register tells of it (spec 2.15). */
export interface ToldChange {
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
 * Writes what registers changed, in one statement: all lines or none.
 *
 * One more line for each entry on each call: nothing in an entry tells a repeat from a second change.
 */
export const storeAuditEntries = (em: EntityManager, entries: readonly ToldChange[]): Promise<void> =>
  insertRows(em, [into(AuditEntry, entries)]);
