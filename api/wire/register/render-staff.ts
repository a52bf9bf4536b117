import { z } from 'zod';
import { maxPermissionsLength } from '../../../domain/staff.ts';
import { fieldsOf, flag, moment, onlySent, reference, setByServer, text } from '../fields.ts';
import { permissionsInside } from '../json-inside.ts';
import { text as sentText } from '../schemas.ts';

/** The fields of a member of staff (spec 2.5). The passcode is never answered, and neither is its hash. */
export const staffFields = fieldsOf(
  {
    staff_id: setByServer(z.int()),
    staff_code: setByServer(z.string()),
    first_name: text(),
    last_name: text(),
    email: text(),
    /** Longer than any valid passcode, so that the refusal can give the reason, and short enough to be harmless. */
    passcode: onlySent(sentText(1_024)),
    passcode_updated_at: moment(),
    role_id: reference(),
    all_locations: flag(),
    is_active: flag(),
    created_at: moment(),
    updated_at: moment(),
  },
  'StaffMember',
);

/** The fields of a role (spec 2.6); `permissions` is a JSON text of boolean keys. */
export const roleFields = fieldsOf(
  {
    role_id: setByServer(z.int()),
    name: text(),
    /** A true `configure_hardware` also grants its successors (spec 2.6). */
    permissions: {
      sent: sentText(maxPermissionsLength).meta(permissionsInside),
      answer: z.string().meta(permissionsInside),
    },
    is_active: flag(),
    created_at: moment(),
    updated_at: moment(),
  },
  'Role',
);

export const { answer: staffAnswer, render: renderStaff } = staffFields;
export const { answer: roleAnswer, render: renderRole } = roleFields;
