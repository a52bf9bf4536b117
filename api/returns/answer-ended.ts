import type { ReturnRecord } from '../../db/returns/return.repository.ts';
import type { RouteContext } from '../http/route.ts';
import { markReplayed } from '../http/mark-replayed.ts';
import { withPointsOwed } from './render-return.ts';

/** A return in a final status never changes (spec 3.2): nothing more is booked. */
export function answerEnded(request: Pick<RouteContext, 'setHeader' | 'em'>, rma: ReturnRecord) {
  markReplayed(request);
  return withPointsOwed(request, rma);
}
