import { z } from 'zod';
import { changeSources } from '../db/audit.ts';
import { searchAuditLog, storeAuditEntries, type ReportedChange } from '../db/audit/search-audit-log.ts';
import { attributeNameNotValid, tooManyItems, valueTooLong } from '../domain/refusals/platform.ts';
import { listRoute } from './http/route-kinds.ts';
import { route } from './http/route.ts';
import { tooManyRows } from './wire/criteria.ts';
import { count, fieldsOf, moment } from './wire/fields.ts';
import { growing, recordId, text } from './wire/schemas.ts';

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
  staffId: recordId.optional(),
  staffName: text(255).optional(),
  terminalId: recordId.optional(),
  terminalName: text(255).optional(),
  locationId: recordId.optional(),
  locationName: text(255).optional(),
}).meta({ id: 'AuditEntry' });

const auditEntries = z.array(auditEntryPayload).max(mostEntries);

/**
 * An entry as stored (spec 4.10): an empty type or field becomes `unknown`, an unknown source `pos_terminal`. Only an
 * administrator may send `admin`: otherwise a register could attribute its changes to another person.
 */
function reportedChange(entry: z.output<typeof auditEntryPayload>, isAdmin: boolean): ReportedChange {
  const source = changeSources.find((known) => known === entry.changeSource) ?? 'pos_terminal';
  return {
    ...entry,
    entityType: entry.entityType?.trim() || 'unknown',
    fieldName: entry.fieldName?.trim() || 'unknown',
    changeSource: source === 'admin' && !isAdmin ? 'pos_terminal' : source,
  };
}

/** Adds changes made at a register to the audit trail (spec 4.10): every entry or none. */
export const submitAuditLog = route({
  method: 'POST',
  path: '/V1/pos/audit-log',
  acl: 'Vendor_Pos::locations',
  summary: 'Submit entries of the audit trail',
  name: 'submitAuditLog',
  description: `Every entry is stored, or none. Number and moment are the server’s. An empty \`entity_type\` or
    \`field_name\` is stored as \`unknown\`. Only an administrator’s token may say \`change_source\` \`admin\`. Each
    call adds its entries once more, unless it has the same \`Idempotency-Key\`.`,
  outcomes: [valueTooLong, tooManyItems.because('More than 10,000 entries.', 'Send them in several calls.')],
  body: z.object({ entries: auditEntries }),
  response: z.literal(true),

  async handle({ em, body, caller }) {
    const isAdmin = caller.userType === 'admin';
    await storeAuditEntries(
      em,
      body.entries.map((entry) => reportedChange(entry, isAdmin)),
    );
    return true as const;
  },
});

const auditLogText = z.string().nullable();
const whole = z.int().nullable();

/** A line of the audit trail (spec 2.15). */
const auditEntry = fieldsOf(
  {
    log_id: count(),
    entity_type: z.string(),
    entity_id: z.string(),
    entity_name: auditLogText,
    field_name: z.string(),
    old_value: auditLogText,
    new_value: auditLogText,
    change_source: z.enum(changeSources),
    staff_id: whole,
    staff_name: auditLogText,
    terminal_id: whole,
    terminal_name: auditLogText,
    location_id: whole,
    location_name: auditLogText,
    created_at: moment(),
  },
  'AuditEntry',
);

/** The audit trail (spec 4.10). */
export const listAuditLog = listRoute({
  path: '/V1/pos/audit-log',
  acl: 'Vendor_Pos::pos',
  summary: 'Read the audit trail',
  name: 'listAuditLog',
  description: `Filter by \`entity_type\`, \`entity_id\`, \`change_source\`, \`staff_id\`, \`terminal_id\`,
    \`location_id\`, \`created_at\` and \`log_id\`. An answer has at most 2,000 lines: read more in pages. Lines are
    never changed and never purged.`,
  outcomes: [attributeNameNotValid, tooManyRows],
  answer: auditEntry.answer,
  isWholeByDefault: true,
  find: searchAuditLog,
  render: auditEntry.render,
});
