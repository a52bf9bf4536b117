import type { EntityManager } from '@mikro-orm/postgresql';
import { query } from '../support/query.ts';
import type { changeSources } from './audit-entry.entity.ts';

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

/** By column, with its type: the order of the parameters. */
const columns = [
  ['entity_type', 'text', 'entityType'],
  ['entity_id', 'text', 'entityId'],
  ['entity_name', 'text', 'entityName'],
  ['field_name', 'text', 'fieldName'],
  ['old_value', 'text', 'oldValue'],
  ['new_value', 'text', 'newValue'],
  ['change_source', 'text', 'changeSource'],
  ['staff_id', 'integer', 'staffId'],
  ['staff_name', 'text', 'staffName'],
  ['terminal_id', 'integer', 'terminalId'],
  ['terminal_name', 'text', 'terminalName'],
  ['location_id', 'integer', 'locationId'],
  ['location_name', 'text', 'locationName'],
] as const satisfies readonly (readonly [string, string, keyof ToldChange])[];

const insert = `
  insert into pos_audit_log (${columns.map(([column]) => column).join(', ')})
  select * from unnest(${columns.map(([, type], at) => `$${at + 1}::${type}[]`).join(', ')})`;

/**
 * Writes what registers changed, in one statement: all lines or none.
 *
 * One more line for each entry on each call: nothing in an entry tells a repeat from a second change.
 */
export async function storeAuditEntries(em: EntityManager, entries: readonly ToldChange[]): Promise<void> {
  if (entries.length === 0) return;
  await query(
    em,
    insert,
    columns.map(([, , key]) => entries.map((entry) => entry[key] ?? null)),
  );
}
