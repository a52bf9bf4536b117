import { z } from 'zod';
import { changeSources } from '../../db/audit/audit-entry.entity.ts';
import type { ReportedChange } from '../../db/audit/store-audit-entries.ts';
import { growing, integer, text } from '../wire/schemas.ts';

/** The size of the columns; values are free-form, and no setting is longer (our choice). */
const longestValue = 65_535;
/** More than a register changes in a week offline (our choice). */
const mostEntries = 10_000;

/**
 * An audit entry that a register sends (spec 2.15). The server sets id and time: values sent for them are ignored,
 * and so are unknown keys.
 */
export const auditEntryPayload = growing({
  entityType: text(64).optional(),
  entityId: text(64),
  entityName: text(255).optional(),
  fieldName: text(128).optional(),
  oldValue: text(longestValue).optional(),
  newValue: text(longestValue).optional(),
  changeSource: z.unknown().optional(),
  staffId: integer.optional(),
  staffName: text(255).optional(),
  terminalId: integer.optional(),
  terminalName: text(255).optional(),
  locationId: integer.optional(),
  locationName: text(255).optional(),
}).meta({ id: 'AuditEntry' });

export const auditEntries = z.array(auditEntryPayload).max(mostEntries);

/**
 * An entry as stored (spec 4.10): an empty type or field becomes `unknown`, an unknown source `pos_terminal`. Only an
 * administrator may send `admin`: otherwise a register could attribute its changes to another person.
 */
export function toldChange(entry: z.output<typeof auditEntryPayload>, isAdmin: boolean): ReportedChange {
  const source = changeSources.find((known) => known === entry.changeSource) ?? 'pos_terminal';
  return {
    ...entry,
    entityType: entry.entityType?.trim() || 'unknown',
    fieldName: entry.fieldName?.trim() || 'unknown',
    changeSource: source === 'admin' && !isAdmin ? 'pos_terminal' : source,
  };
}
