import { z } from 'zod';
import { storeAuditEntries } from '../../db/audit/store-audit-entries.ts';
import { route } from '../http/route.ts';
import { auditEntries, toldChange } from './audit-entry-payload.ts';

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
  outcomes: [
    {
      status: 400,
      message: 'The %fieldName value must not be longer than %maxLength characters.',
      when: 'A value is longer than 65,535 characters.',
    },
    {
      status: 400,
      message: 'Maximum items of type "%type" is %max',
      when: 'More than 10,000 entries.',
      then: 'Send them in several calls.',
    },
  ],
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
