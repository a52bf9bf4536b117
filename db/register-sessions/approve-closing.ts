import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { notASecondPerson } from '../../domain/refusals/register-sessions.ts';
import { areTwoPeople } from '../staff/second-person.ts';
import { Staff } from '../staff/staff.entity.ts';
import { databaseNow } from '../support/database-now.ts';
import { transact } from '../support/transact.ts';
import type { Approver } from './close-session.ts';
import { ClosingApproval, RegisterSession, SessionCount } from './register-session.entity.ts';

interface ToApprove {
  approvalId: number;
  approver: Approver;
  /** The locations that the person sees; null: all. */
  locationIds: readonly number[] | null;
  /** Recorded in the same transaction, for the audit trail. */
  record: (tx: EntityManager) => Promise<void>;
}

/**
 * Approves the difference of a counted session: its register may close it now. A repeat changes nothing.
 *
 * @returns false where nothing waits: it was approved before, or counted again since
 *
 * Refused with: 409 `not_a_second_person`.
 */
export const approveClosing = (em: EntityManager, { approvalId, approver, locationIds, record }: ToApprove) =>
  transact(em, async (tx): Promise<boolean> => {
    const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
    const found = await tx.findOne(ClosingApproval, { approvalId });
    if (!found) return false;
    // In the order of a close: the session first.
    const session = await tx.findOne(RegisterSession, { sessionId: found.sessionId }, locked);
    const approval = await tx.findOne(ClosingApproval, { approvalId }, locked);
    const isSeen = session !== null && (locationIds === null || locationIds.includes(session.locationId));
    if (!approval || !isSeen || approval.approvedAt != null || session.state !== 'counted') return false;
    const { countId } = approval;
    if ((await tx.count(SessionCount, { countId, number: session.countsMade })) === 0) return false;
    const closer = await tx.findOne(Staff, { staffId: approval.closedBy ?? 0 });
    const people = { first: closer?.email.toLowerCase() ?? '', second: approver.email.toLowerCase() };
    if (!closer || !(await areTwoPeople(tx, { ...people, since: approval.createdAt }))) throw notASecondPerson();
    await record(tx);
    approval.approvedBy = approver.account;
    approval.approvedName = approver.name;
    approval.approvedAt = await databaseNow(tx);
    return true;
  });
