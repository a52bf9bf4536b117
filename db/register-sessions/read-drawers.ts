import type { EntityManager } from '@mikro-orm/postgresql';
import { freshReads } from '../support/fresh-reads.ts';
import { Closing, ClosingApproval, Drawer, RegisterSession, SessionCount } from './register-session.entity.ts';

/** What the page Drawers shows of the locations that a person sees; null: all of them. */
export interface DrawersSeen {
  open: (RegisterSession & { drawerName: string })[];
  /** Differences that wait for a second person, with their sessions. */
  pending: { approval: ClosingApproval; session: RegisterSession }[];
  closings: (Closing & { drawerName: string })[];
}

const most = 100;

/** Open sessions, differences that wait for a second person, and the latest closings; at most 100 of each. */
export async function readDrawers(em: EntityManager, locationIds: readonly number[] | null): Promise<DrawersSeen> {
  const reads = freshReads(em);
  const seen = locationIds === null ? {} : { locationId: { $in: [...locationIds] } };
  const open = await reads.find(
    RegisterSession,
    { ...seen, state: { $ne: 'closed' } },
    { orderBy: { openedAt: 'asc' }, limit: most },
  );
  const closings = await reads.find(Closing, seen, { orderBy: { closingId: 'desc' }, limit: most });
  const counted = open.filter(({ state }) => state === 'counted');
  const approvals = await reads.find(
    ClosingApproval,
    { sessionId: { $in: counted.map(({ sessionId }) => sessionId) }, approvedAt: null },
    { orderBy: { createdAt: 'asc' } },
  );
  const counts = await reads.find(SessionCount, { countId: { $in: approvals.map(({ countId }) => countId) } });
  const drawerIds = [...open, ...closings].map(({ drawerId }) => drawerId);
  const drawers = await reads.find(Drawer, { drawerId: { $in: [...new Set(drawerIds)] } });
  const names = new Map(drawers.map(({ drawerId, name }) => [drawerId, name]));
  const named = <One extends { drawerId: number }>(one: One) => ({ ...one, drawerName: names.get(one.drawerId) ?? '' });
  return {
    open: open.map(named),
    pending: approvals.flatMap((approval) => {
      const session = counted.find(({ sessionId }) => sessionId === approval.sessionId);
      const count = counts.find(({ countId }) => countId === approval.countId);
      // A difference of an earlier count is over.
      return session && count?.number === session.countsMade ? [{ approval, session }] : [];
    }),
    closings: closings.map(named),
  };
}
