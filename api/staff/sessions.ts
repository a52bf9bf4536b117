import { z } from 'zod';
import { findSession, openSession } from '../../db/staff/sessions.ts';
import type { Role } from '../../db/staff/staff.entity.ts';
import type { StaffRow } from '../../db/staff/read-staff.ts';
import { forgetAttempt } from '../../db/support/rate-limit.ts';
import { findTerminal } from '../../db/terminals/read-terminals.ts';
import {
  credentialsNotValid,
  sessionExpired,
  sessionStaffMissing,
  sessionTokenNotValid,
  tooManyFailedAttempts,
} from '../../domain/refusals/register.ts';
import { emailKey } from '../../domain/staff.ts';
import { bucketsOf, holderOf, inTurnOf } from '../http/check-passcode.ts';
import { route } from '../http/route.ts';
import { unknownTerminal } from '../wire/outcomes.ts';
import { renderRole, renderStaff, roleAnswer, staffAnswer } from '../wire/register/render-staff.ts';
import { renderMoment } from '../wire/register/render-terminal.ts';
import { recordId, text } from '../wire/schemas.ts';
import { tooManyPasscodes } from './staff.ts';

/** A cashier's session (spec 2.7). */
const sessionAnswer = z
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
  role: Role;
}

const renderSession = (
  { sessionId, expiresAt, staff, role }: Session,
  token: string,
): z.input<typeof sessionAnswer> => ({
  session_id: sessionId,
  staff_id: staff.staffId,
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
  outcomes: [sessionTokenNotValid, sessionExpired, sessionStaffMissing],
  body: z.object({ token: text(1_024) }),
  response: sessionAnswer,
  isPrivate: true,

  handle: async ({ em, body }) => renderSession(await findSession(em, body.token), body.token),
});

/**
 * Signs a cashier in by e-mail and passcode (spec 4.3, 5.4). Each success starts another session.
 *
 * A guess is counted before it is checked, so that guesses at once get no further than the limits of spec 8. Guesses
 * for one address take turns: correct ones at once do not count against each other. Unknown addresses, inactive people
 * and wrong passcodes get the same answer in the same time.
 */
export const authenticateStaff = route({
  method: 'POST',
  path: '/V1/pos/staff/authenticate',
  acl: 'Vendor_Pos::staff_manage',
  summary: 'Sign a cashier in',
  name: 'authenticateStaff',
  description: `Answers a session with a token of 64 characters that is good for 30 days. The token names the
    cashier to the register; routes are opened by the register’s own token. Each success begins one more session.
    After 3, 5, 8 and 12 wrong passcodes an e-mail has to wait 15 seconds, a minute, 5 and 30 minutes.`,
  outcomes: [credentialsNotValid, tooManyFailedAttempts, tooManyPasscodes, unknownTerminal],
  commits: 'several',
  body: z.object({ email: text(1_024), passcode: text(1_024), terminalId: recordId.optional() }),
  response: sessionAnswer,
  isPrivate: true,

  handle({ em, body, clientAddress, providers }) {
    const key = emailKey(body.email);
    const buckets = bucketsOf(body.terminalId, clientAddress);
    return inTurnOf(key, async () => {
      // Before a guess is counted: it is the register's mistake.
      if (body.terminalId) await findTerminal(em, body.terminalId);
      const guess = { account: key, key, buckets, passcode: body.passcode };
      const { staffId } = await holderOf({ em, providers }, guess);
      const token = await openSession(em, { staffId, emailKey: key, terminalId: body.terminalId });
      const [session] = await Promise.all([findSession(em, token), forgetAttempt(em, buckets)]);
      return renderSession(session, token);
    });
  },
});
