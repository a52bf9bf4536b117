import { z } from 'zod';
import { findSession } from '../../db/staff/find-session.ts';
import { route } from '../http/route.ts';
import { text } from '../wire/schemas.ts';
import { renderSession, sessionAnswer } from './session-answer.ts';

/**
 * A session with its cashier and role as they are now, so that a changed role applies at once (spec 4.3).
 *
 * Refused with 401: `Invalid session token.` · `Session has expired.` · `Staff member not found.`
 */
export const validateSession = route({
  method: 'POST',
  path: '/V1/pos/staff/session/validate',
  acl: 'Vendor_Pos::staff_manage',
  summary: "A cashier's session, freshly read",
  body: z.object({ token: text(1_024) }),
  response: sessionAnswer,
  isPrivate: true,

  handle: async ({ em, body }) => renderSession(await findSession(em, body.token), body.token),
});
