import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { laterSessionExists, sessionNotClosed } from '../../domain/refusals/register-sessions.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { refuseTooLate } from '../support/begin-before.ts';
import { transact } from '../support/transact.ts';
import { readClosingSettings } from './closing-settings.ts';
import { lockSession } from './find-session.ts';
import { Drawer, RegisterSession } from './register-session.entity.ts';
import { sessionClock } from './session-clock.ts';

export interface SessionToReopen {
  registerSessionUuid: string;
  reason: string;
  /** The account that asks, for the audit trail. */
  by: string;
  /** Of the request: a repeat of it changes nothing. */
  operationKey: string;
  beginBefore: string;
}

/**
 * Opens the latest session of a drawer again: one more count is permitted, and its next closing replaces the one
 * before. Late movements stay late.
 *
 * Refused with: 404 unknown session · 409 `session_not_closed`, `later_session` · 503 too late.
 */
export const reopenSession = (em: EntityManager, request: SessionToReopen): Promise<void> =>
  transact(em, async (tx) => {
    const session = await lockSession(tx, request.registerSessionUuid);
    if (session.reopenedBy === request.operationKey && session.state !== 'closed') return;
    await refuseTooLate(tx, request.beginBefore);
    if (session.state !== 'closed') throw sessionNotClosed([request.registerSessionUuid]);
    const { sessionId, drawerId, locationId } = session;
    await tx.findOneOrFail(Drawer, { drawerId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if ((await tx.count(RegisterSession, { drawerId, sessionId: { $gt: sessionId } })) > 0)
      throw laterSessionExists([request.registerSessionUuid]);
    const { forceAfterHours } = await readClosingSettings(tx, locationId);
    const { forcedAfter } = await sessionClock(tx, { locationId, forceAfterHours });
    session.state = 'open';
    session.forcedAfter = forcedAfter;
    session.countsPermitted = session.countsMade + 1;
    session.closeHash = null;
    session.followedAt = null;
    session.reopenedBy = request.operationKey;
    await tx.flush();
    await recordAudit(tx, {
      entityType: 'register_session',
      entityId: sessionId,
      fieldName: 'reopened',
      newValue: request.reason,
      changeSource: 'api',
      staffName: request.by,
    });
  });
