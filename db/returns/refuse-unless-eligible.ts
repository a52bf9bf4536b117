import type { EntityManager } from '@mikro-orm/postgresql';
import { eligibilityOf } from '../../domain/returns/eligibility.ts';
import { notEligible, objectionTo, type WantedLine } from '../../domain/returns/objection-to.ts';
import { refuseBrokenPieces } from '../../domain/returns/whole-pieces.ts';
import type { ProviderSays } from './new-return.ts';
import { soldOrder, type SoldOrderRecord } from './sold-order.ts';

/**
 * Checks rows against the present state. The caller has locked the order, so two concurrent requests for the same
 * goods never both pass.
 *
 * Refused with: 400 `return_not_eligible`, naming the first reason · 400 a part of a whole piece.
 *
 * @returns the order as checked
 */
export async function refuseUnlessEligible(
  em: EntityManager,
  { orderId, provider, rows }: { orderId: number; provider: ProviderSays; rows: readonly WantedLine[] },
): Promise<SoldOrderRecord> {
  const order = await soldOrder(em, orderId);
  const eligibility = eligibilityOf({
    order,
    rules: order.rules,
    resolutionIds: provider.resolutionIds,
    verdict: provider.verdict,
    now: order.asOf,
  });
  const objection = objectionTo(eligibility, rows);
  if (objection) throw notEligible(objection);
  refuseBrokenPieces(order.lines, rows);
  return order;
}
