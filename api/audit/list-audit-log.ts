import { z } from 'zod';
import { changeSources } from '../../db/audit/audit-entry.entity.ts';
import { listRoute } from '../http/list-route.ts';
import { renderMoment } from '../wire/register/render-moment.ts';
import { searchAuditLog, type AuditEntryRow } from '../../db/audit/search-audit-log.ts';
import { unknownField, tooManyRows } from '../wire/search-criteria.ts';

const text = z.string().nullable();
const whole = z.int().nullable();

/** A line of the audit trail (spec 2.15). */
const auditEntryAnswer = z
  .object({
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
  })
  .meta({ id: 'AuditEntry' });
type AuditEntryAnswer = z.input<typeof auditEntryAnswer>;

/** The audit trail (spec 4.10). */
export const listAuditLog = listRoute({
  path: '/V1/pos/audit-log',
  acl: 'Vendor_Pos::pos',
  summary: 'Read the audit trail',
  name: 'listAuditLog',
  description: `Filter by \`entity_type\`, \`entity_id\`, \`change_source\`, \`staff_id\`, \`terminal_id\`,
    \`location_id\`, \`created_at\` and \`log_id\`. An answer has at most 2,000 lines: read more in pages. Lines are
    never changed and never purged.`,
  outcomes: [unknownField, tooManyRows],
  answer: auditEntryAnswer,
  isWholeByDefault: true,
  find: searchAuditLog,
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
