import type { EntityManager } from '@mikro-orm/postgresql';
import type { ExpectedLeg, SettlementOptions, RegisterReference } from '../../domain/refunds/quote-refund.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import type { OpenAttempt } from '../refunds/open-refund-attempt.ts';
import type { ThroughGateway } from '../refunds/through-gateway.ts';
import { refuseUnlessSettleable, type SettledAs } from './book-settlement.ts';
import { withReturn } from './lock-return.ts';
import { recordSettleRefusal } from './record-settle-refusal.ts';
import { settleThroughGateway } from './settle-through-gateway.ts';

export interface GatewaySettlement extends ThroughGateway {
  returnId: number;
  options: SettlementOptions;
  reported?: RegisterReference;
  expectedLegs?: readonly ExpectedLeg[];
}

/**
 * Records the refund of a parked return through its original gateway, before the gateway is called. Where all of it
 * is credit, it is settled at once.
 *
 * Safe to repeat: an open attempt is answered; a return in a terminal status needs none. A refusal leaves the return
 * unchanged, with a comment.
 *
 * Refused with: 404 unknown return · 400 wrong status, no gateway, nothing left · 409 `gateway_uncertain`.
 */
export async function startGatewaySettlement(
  em: EntityManager,
  { returnId, ...settlement }: GatewaySettlement,
): Promise<SettledAs & { attempt?: OpenAttempt }> {
  try {
    return await withReturn(em, returnId, async (tx, { order, rma }) => {
      if (isTerminal(rma.status)) return { status: rma.status };
      refuseUnlessSettleable(rma);
      return settleThroughGateway(tx, { order, rma, ...settlement });
    });
  } catch (error) {
    await recordSettleRefusal(em, returnId, error);
    throw error;
  }
}
