import type { EntityManager } from '@mikro-orm/postgresql';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { AuditEntry, type changeSources } from '../audit.ts';
import { auditLog } from '../support/counted-list.ts';
import { search, type Found, type Searchable } from '../support/search.ts';
import { insertRows, into } from '../support/write-rows.ts';

/** An entry as stored: bigints and times are text. */
export interface AuditEntryRow {
  log_id: string;
  entity_type: string;
  entity_id: string;
  entity_name: string | null;
  field_name: string;
  old_value: string | null;
  new_value: string | null;
  change_source: (typeof changeSources)[number];
  staff_id: number | null;
  staff_name: string | null;
  terminal_id: number | null;
  terminal_name: string | null;
  location_id: number | null;
  location_name: string | null;
  created_at: string;
}

/** The searchable fields of the trail. */
export const auditTrail: Searchable = {
  table: 'pos_audit_log',
  columns: `log_id, entity_type, entity_id, entity_name, field_name, old_value, new_value, change_source, staff_id,
    staff_name, terminal_id, terminal_name, location_id, location_name, created_at`,
  fields: {
    log_id: { column: 'log_id', type: 'integer' },
    entity_type: { column: 'entity_type', type: 'text' },
    entity_id: { column: 'entity_id', type: 'code' },
    change_source: { column: 'change_source', type: 'code' },
    staff_id: { column: 'staff_id', type: 'integer', isNullable: true },
    terminal_id: { column: 'terminal_id', type: 'integer', isNullable: true },
    location_id: { column: 'location_id', type: 'integer', isNullable: true },
    created_at: { column: 'created_at', type: 'timestamp' },
  },
  order: 'log_id',
  // Each may have two long values, so larger results are read in pages.
  maxRows: 2_000,
  counted: auditLog,
};

/**
 * Lines of the audit trail, by each of the interface's filters (spec 4.10). Refused with: 400 more than 2 000 lines.
 */
export const searchAuditLog = (em: EntityManager, criteria: SearchCriteria): Promise<Found<AuditEntryRow>> =>
  search<AuditEntryRow>(em, criteria, auditTrail);

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
