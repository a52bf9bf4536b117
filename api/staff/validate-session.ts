import { z } from 'zod';
import { findSession } from '../../db/staff/find-session.ts';
import { route } from '../http/route.ts';
import { text } from '../wire/schemas.ts';
import { renderSession, sessionAnswer } from './session-answer.ts';

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
