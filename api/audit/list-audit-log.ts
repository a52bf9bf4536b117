import { z } from 'zod';
import { changeSources } from '../../db/audit/audit-entry.entity.ts';
import { search, type Searchable } from '../../db/support/search.ts';
import { listRoute } from '../support/list-route.ts';
import { renderMoment } from '../support/register/render-moment.ts';

const text = z.string().nullable();
const whole = z.int().nullable();

/** A line of the audit trail (spec 2.15). */
const auditEntryAnswer = z.object({
  log_id: z.int(),
  entity_type: z.string(),
  entity_id: z.string(),
  entity_name: text,
  field_name: z.string(),
  old_value: text,
  new_value: text,
  change_source: z.enum(changeSources),
  staff_id: whole,
  staff_name: text,
  terminal_id: whole,
  terminal_name: text,
  location_id: whole,
  location_name: text,
  created_at: z.string(),
});
type AuditEntryAnswer = z.input<typeof auditEntryAnswer>;

/** Bigints and moments are text. */
type AuditEntryRow = Omit<AuditEntryAnswer, 'log_id'> & { log_id: string };

const auditLog: Searchable = {
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
  // Each may carry two long values: more than these are read in pages.
  maxRows: 2_000,
  countAll: `(select pos_growing_total('pos_audit_log', 'log_id', 'created_at'))`,
};

/** The audit trail (spec 4.10). Refused with: 400 more than 2 000 lines at once. */
export const listAuditLog = listRoute({
  path: '/V1/pos/audit-log',
  acl: 'Vendor_Pos::pos',
  summary: 'Read the audit trail',
  answer: auditEntryAnswer,
  isWholeByDefault: true,
  find: (em, criteria) => search<AuditEntryRow>(em, criteria, auditLog),
  render: (row) => renderEntry(row),
});

const renderEntry = (row: AuditEntryRow): AuditEntryAnswer => ({
  log_id: Number(row.log_id),
  entity_type: row.entity_type,
  entity_id: row.entity_id,
  entity_name: row.entity_name,
  field_name: row.field_name,
  old_value: row.old_value,
  new_value: row.new_value,
  change_source: row.change_source,
  staff_id: row.staff_id,
  staff_name: row.staff_name,
  terminal_id: row.terminal_id,
  terminal_name: row.terminal_name,
  location_id: row.location_id,
  location_name: row.location_name,
  created_at: renderMoment(row.created_at),
});
