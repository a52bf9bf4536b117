import type { EntityManager } from '@mikro-orm/postgresql';
import { compareWithCount, type ComparedTender } from '../../domain/register-sessions/drawer-figures.ts';
import { searchFieldsOf } from '../support/fields.ts';
import { freshReads } from '../support/fresh-reads.ts';
import { searchesRecords } from '../support/search-records.ts';
import { figuresNow } from './figures-now.ts';
import { findSession } from './find-session.ts';
import { lastClosingOf } from './read-closings.ts';
import {
  Closing,
  ClosingApproval,
  Drawer,
  RegisterSession,
  SessionCount,
  SessionMovement,
} from './register-session.entity.ts';

/** Movements that one answer lists, the latest; a closing sums all of them. */
const mostMovements = 500;

/** A session with what its register did, and its figures where they may be shown. */
export interface WholeSession {
  session: RegisterSession;
  movements: SessionMovement[];
  counts: SessionCount[];
  closing: Closing | null;
  pendingApprovalId: number | null;
  /** Null while the session is counted blind. */
  figures: ComparedTender[] | null;
}

/**
 * One session. What its drawer should contain is read only for callers that may see it, and after the close or the last
 * permitted count. Refused with 404 for an unknown one.
 */
export async function readWholeSession(
  em: EntityManager,
  registerSessionUuid: string,
  { seesFigures }: { seesFigures: boolean },
): Promise<WholeSession> {
  const session = await findSession(em, registerSessionUuid);
  const { sessionId } = session;
  const reads = freshReads(em);
  const movements = await reads.find(
    SessionMovement,
    { sessionId },
    { orderBy: { sessionMovementId: 'desc' }, limit: mostMovements },
  );
  const counts = await reads.find(SessionCount, { sessionId }, { orderBy: { number: 'asc' } });
  const closing = await lastClosingOf(reads, sessionId);
  const last = counts.at(-1);
  // That of an earlier count is over.
  const approval =
    last && session.state === 'counted'
      ? await reads.findOne(ClosingApproval, { countId: last.countId, approvedAt: null })
      : null;
  const isShown = seesFigures || session.state === 'closed' || (session.state === 'counted' && session.areFiguresShown);
  const figures = isShown ? compareWithCount((await figuresNow(reads, session)).figures, last?.lines) : null;
  return {
    ...{ session, movements: movements.toReversed(), counts, figures },
    closing: session.state === 'closed' ? closing : null,
    pendingApprovalId: approval?.approvalId ?? null,
  };
}

/** As of receipts: a closing is a document. */
const mostListed = 2_000;

/** Sessions of the shop, the platform's way. */
export const searchSessions = searchesRecords({
  entity: RegisterSession,
  fields: searchFieldsOf(RegisterSession),
  order: 'session_id',
  maxRows: mostListed,
});

export const searchClosings = searchesRecords({
  entity: Closing,
  fields: searchFieldsOf(Closing),
  order: 'closing_id',
  maxRows: mostListed,
});

export const searchDrawers = searchesRecords({ entity: Drawer, fields: searchFieldsOf(Drawer), order: 'drawer_id' });

/** Null where no request of this UUID was stored. */
export const findMovement = (em: EntityManager, movementUuid: string): Promise<SessionMovement | null> =>
  freshReads(em).findOne(SessionMovement, { movementUuid });

export const findCount = (em: EntityManager, countUuid: string): Promise<SessionCount | null> =>
  freshReads(em).findOne(SessionCount, { countUuid });
