import { z } from 'zod';
import type { RoleRow, StaffRow } from '../../db/staff/staff.repository.ts';
import { renderMoment } from '../wire/register/render-moment.ts';
import { renderRole, renderStaff, roleAnswer, staffAnswer } from '../wire/register/render-staff.ts';

/** A cashier's session (spec 2.7). */
export const sessionAnswer = z
  .object({
    session_id: z.int(),
    staff_id: z.int(),
    staff: staffAnswer,
    role: roleAnswer,
    token: z.string().length(64),
    expires_at: z.string(),
  })
  .meta({ id: 'StaffSession' });

interface Session {
  sessionId: number;
  expiresAt: string;
  staff: StaffRow;
  role: RoleRow;
}

export const renderSession = (
  { sessionId, expiresAt, staff, role }: Session,
  token: string,
): z.input<typeof sessionAnswer> => ({
  session_id: sessionId,
  staff_id: staff.staff_id,
  staff: renderStaff(staff),
  role: renderRole(role),
  token,
  expires_at: renderMoment(expiresAt),
});
