import { z } from 'zod';
import { findSession } from '../../db/staff/sessions.ts';
import type { RoleRow, StaffRow } from '../../db/staff/staff.repository.ts';
import { route } from '../http/route.ts';
import { renderMoment } from '../wire/register/render-moment.ts';
import { renderRole, renderStaff, roleAnswer, staffAnswer } from '../wire/register/render-staff.ts';
import { text } from '../wire/schemas.ts';

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

/** A session with its cashier and role as they are now, so that a changed role applies at once (spec 4.3). */
export const validateSession = route({
  method: 'POST',
  path: '/V1/pos/staff/session/validate',
  acl: 'Vendor_Pos::staff_manage',
  summary: "A cashier's session, freshly read",
  name: 'validateSession',
  description: `Answers the cashier and the role as they are now, so that a changed role applies at once. Call it
    when a register wakes up.`,
  outcomes: [
    {
      status: 401,
      message: 'Invalid session token.',
      when: 'No session has this token.',
      then: 'Let the cashier sign in again.',
    },
    {
      status: 401,
      message: 'Session has expired.',
      when: 'The session is older than 30 days.',
      then: 'Let the cashier sign in again.',
    },
    {
      status: 401,
      message: 'Staff member not found.',
      when: 'The person was deleted or is not active any more.',
      then: 'Let another cashier sign in.',
    },
  ],
  body: z.object({ token: text(1_024) }),
  response: sessionAnswer,
  isPrivate: true,

  handle: async ({ em, body }) => renderSession(await findSession(em, body.token), body.token),
});
