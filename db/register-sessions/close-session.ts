import type { EntityManager } from '@mikro-orm/postgresql';
import {
  sessionStaffUnknown,
  closingApprovalRequired,
  notASecondPerson,
  recountRequired,
  sessionIsClosed,
  sessionNotCounted,
  uuidReused,
} from '../../domain/refusals/register-sessions.ts';
import { isRefused, type Refused } from '../../domain/outcome.ts';
import { compareWithCount, differsByMoreThan } from '../../domain/register-sessions/drawer-figures.ts';
import type { Explanation } from '../../domain/register-sessions/session-words.ts';
import { areTwoPeople } from '../staff/second-person.ts';
import { Staff } from '../staff/staff.entity.ts';
import { refuseTooLate } from '../support/begin-before.ts';
import { transact } from '../support/transact.ts';
import { readClosingSettings } from './closing-settings.ts';
import { figuresNow } from './figures-now.ts';
import { lockSession } from './find-session.ts';
import { ClosingApproval, SessionCount, type RegisterSession } from './register-session.entity.ts';
import { databaseNow } from '../support/database-now.ts';
import { writeClosing } from './write-closing.ts';

/** A second person, whose credentials the route has checked. */
export interface Approver {
  /** `staff:<id>` or `admin:<id>`. */
  account: string;
  email: string;
  name: string;
}

export interface SessionToClose {
  registerSessionUuid: string;
  explanations: Explanation[];
  closedBy: number;
  approver: Approver | null;
  /** Of the body without its approval. */
  requestHash: string;
  beginBefore: string;
}

/**
 * Closes a counted session and writes its closing, in one transaction. A repeat changes nothing.
 *
 * Three refusals keep what they found, so they are returned and not thrown: `recount_required` opens the session again
 * and permits one more count; `approval_required` stores the pending approval.
 *
 * Refused with: 404 unknown session · 400 unknown member of staff · 409 `session_closed`, `session_not_counted`,
 * `recount_required`, `approval_required`, `not_a_second_person` · 422 another body · 503 too late.
 */
export const closeSession = (em: EntityManager, request: SessionToClose): Promise<Refused | undefined> =>
  transact(em, async (tx) => {
    const { registerSessionUuid, requestHash } = request;
    const session = await lockSession(tx, registerSessionUuid);
    if (session.state === 'closed') {
      if (session.closeHash === requestHash) return undefined;
      throw session.closeHash === null ? sessionIsClosed([registerSessionUuid]) : uuidReused([registerSessionUuid]);
    }
    await refuseTooLate(tx, request.beginBefore);
    const closer = await tx.findOne(Staff, { staffId: request.closedBy });
    if (!closer) throw sessionStaffUnknown([request.closedBy]);
    const { sessionId } = session;
    const count = await tx.findOne(SessionCount, { sessionId }, { orderBy: { number: 'desc' } });
    if (count?.result !== 'accepted') throw sessionNotCounted([registerSessionUuid]);
    // The session was opened again since: by an overtaking movement, or by an administrator.
    if (session.state === 'open') throw overtaken(session, count);
    const figures = await figuresNow(tx, session);
    if (figures.movementsHash !== count.movementsHash) {
      session.state = 'open';
      session.countsPermitted += 1;
      return { refused: recountRequired([registerSessionUuid]).refusal };
    }
    const lines = compareWithCount(figures.figures, count.lines);
    const { approveAbove } = await readClosingSettings(tx, session.locationId);
    const approval =
      approveAbove !== null && differsByMoreThan(lines, approveAbove)
        ? await approvalOf(tx, { session, count, request, closer })
        : null;
    if (isRefused(approval)) return approval;
    session.closedBy = request.closedBy;
    session.closeHash = requestHash;
    await writeClosing(tx, {
      ...{ session, count, figures, closer, explanations: request.explanations, isForced: false },
      approvedBy: approval?.approvedName ?? null,
      now: await databaseNow(tx),
    });
    return undefined;
  });

const overtaken = ({ registerSessionUuid, closedAt }: RegisterSession, count: SessionCount) =>
  closedAt != null && closedAt > count.createdAt
    ? sessionNotCounted([registerSessionUuid])
    : recountRequired([registerSessionUuid]);

interface ToApprove {
  session: RegisterSession;
  count: SessionCount;
  request: SessionToClose;
  closer: Pick<Staff, 'email'>;
}

/** The approval of a count's difference: the one that is stored, or that of the person whom the request names. */
async function approvalOf(
  tx: EntityManager,
  { session, count, request, closer }: ToApprove,
): Promise<ClosingApproval | Refused> {
  const { countId } = count;
  const stored = await tx.findOne(ClosingApproval, { countId });
  const approval =
    stored ?? tx.create(ClosingApproval, { sessionId: session.sessionId, countId, closedBy: request.closedBy });
  if (approval.approvedBy != null && approval.closedBy === request.closedBy) return approval;
  approval.closedBy = request.closedBy;
  if (request.approver === null) {
    approval.approvedBy = null;
    await tx.flush();
    const { registerSessionUuid } = session;
    return { refused: closingApprovalRequired({ 1: registerSessionUuid, approval_id: approval.approvalId }).refusal };
  }
  const people = { first: closer.email.toLowerCase(), second: request.approver.email.toLowerCase() };
  if (!(await areTwoPeople(tx, { ...people, since: count.createdAt }))) throw notASecondPerson();
  approval.approvedBy = request.approver.account;
  approval.approvedName = request.approver.name;
  approval.approvedAt = await databaseNow(tx);
  return approval;
}

/**
 * Closes a session that stayed open past its night, without a count: what was counted is null, and the next opening of
 * the drawer is compared with what was expected. A repeat, and one that is not due, change nothing.
 */
export const forceCloseSession = (em: EntityManager, registerSessionUuid: string): Promise<void> =>
  transact(em, async (tx) => {
    const session = await lockSession(tx, registerSessionUuid);
    const now = await databaseNow(tx);
    if (session.state === 'closed' || session.forcedAfter > now) return;
    const figures = await figuresNow(tx, session);
    await writeClosing(tx, {
      ...{ session, count: null, figures, closer: null, explanations: [], isForced: true, approvedBy: null, now },
    });
  });
