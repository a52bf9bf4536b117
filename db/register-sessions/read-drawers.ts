import type { EntityManager } from '@mikro-orm/postgresql';
import { freshReads } from '../support/fresh-reads.ts';
import { Closing, ClosingApproval, Drawer, RegisterSession } from './register-session.entity.ts';

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
  const approvals = await reads.find(
    ClosingApproval,
    { approvedAt: null },
    { orderBy: { createdAt: 'asc' }, limit: most },
  );
  const counted = new Map(open.filter(({ state }) => state === 'counted').map((one) => [one.sessionId, one]));
  const drawerIds = [...open, ...closings].map(({ drawerId }) => drawerId);
  const drawers = await reads.find(Drawer, { drawerId: { $in: [...new Set(drawerIds)] } });
  const names = new Map(drawers.map(({ drawerId, name }) => [drawerId, name]));
  const named = <One extends { drawerId: number }>(one: One) => ({ ...one, drawerName: names.get(one.drawerId) ?? '' });
  return {
    open: open.map(named),
    pending: approvals.flatMap((approval) => {
      const session = counted.get(approval.sessionId);
      return session ? [{ approval, session }] : [];
    }),
    closings: closings.map(named),
  };
}
