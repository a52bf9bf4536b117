import type { z } from 'zod';
import { readPointsOwed } from '../../db/reward-points/read-points.ts';
import type { ReturnRecord } from '../../db/returns/return.repository.ts';
import type { RouteContext } from '../http/route.ts';
import { renderReturn, type returnAnswer } from './render-return.ts';

/** A return whose money went back, with the points of its sale that the customer has spent and owes now, if any. */
export async function withPointsOwed(
  { em }: Pick<RouteContext, 'em'>,
  rma: ReturnRecord,
  reused?: boolean,
): Promise<z.input<typeof returnAnswer>> {
  const answer = renderReturn(rma, reused);
  if (rma.creditMemoId === null || rma.customerId === null) return answer;
  const owed = await readPointsOwed(em, rma.orderId);
  return owed > 0 ? { ...answer, points_owed: owed } : answer;
}
