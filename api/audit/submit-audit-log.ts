import { z } from 'zod';
import { storeAuditEntries } from '../../db/audit/store-audit-entries.ts';
import { route } from '../http/route.ts';
import { auditEntries, toldChange } from './audit-entry-payload.ts';

/**
 * Takes what was changed at a register into the audit trail (spec 4.10): every entry or none.
 *
 * One more line for each entry on each call. Refused with: 400 an entry without `entity_id`, a value longer than
 * 65 535 characters, more than 10 000 entries.
 */
export const submitAuditLog = route({
  method: 'POST',
  path: '/V1/pos/audit-log',
  acl: 'Vendor_Pos::locations',
  summary: 'Submit entries of the audit trail',
  body: z.object({ entries: auditEntries }),
  response: z.literal(true),

  async handle({ em, body, caller }) {
    const isAdmin = caller.userType === 'admin';
    await storeAuditEntries(
      em,
      body.entries.map((entry) => toldChange(entry, isAdmin)),
    );
    return true as const;
  },
});
