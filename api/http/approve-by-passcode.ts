import { z } from 'zod';
import { findApprover, type FoundApprover } from '../../db/staff/find-approver.ts';
import { clearLoginFailures } from '../../db/staff/login-attempts.ts';
import { forgetAttempt } from '../../db/support/rate-limit.ts';
import { credentialsNotValid } from '../../domain/refusals/register.ts';
import { emailKey } from '../../domain/staff.ts';
import { text } from '../wire/schemas.ts';
import { bucketsOf, holderOf, inTurnOf } from './check-passcode.ts';
import type { RouteContext } from './route.ts';

/** The credentials of a second person, typed at the register. They go no further than the route. */
export const approvalBody = z.object({ email: text(1_024), passcode: text(1_024) });

/**
 * Checks the credentials of a person who approves. Wrong passcodes are counted for the account and the terminal, apart
 * from those of sign-ins: a mistyped approval locks nobody out of the register.
 *
 * Refused with: 401 as a sign-in.
 */
export async function approverBy(
  { em, clientAddress, providers }: Pick<RouteContext, 'em' | 'clientAddress' | 'providers'>,
  { email, passcode, terminalId }: z.output<typeof approvalBody> & { terminalId: number },
): Promise<FoundApprover> {
  const account = emailKey(email);
  const key = `approval ${account}`;
  const buckets = bucketsOf(terminalId, clientAddress);
  return inTurnOf(key, async () => {
    const { staffId } = await holderOf({ em, providers }, { account, key, buckets, passcode });
    const found = await findApprover(em, staffId);
    if (!found) throw credentialsNotValid();
    await Promise.all([clearLoginFailures(em, key), forgetAttempt(em, buckets)]);
    return found;
  });
}
