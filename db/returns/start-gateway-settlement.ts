import type { EntityManager } from '@mikro-orm/postgresql';
import type { ExpectedLeg, SettlementOptions, RegisterReference } from '../../domain/refunds/quote-refund.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import type { ThroughGateway } from '../refunds/through-gateway.ts';
import { asBefore, refuseUnlessSettleable, type Settling } from './book-settlement.ts';
import { changeReturn, type OperationOnReturn } from './lock-return.ts';
import { recordSettleRefusal } from './record-settle-refusal.ts';
import { settleThroughGateway } from './settle-through-gateway.ts';

export interface GatewaySettlement extends ThroughGateway, OperationOnReturn {
  options: SettlementOptions;
  reported?: RegisterReference;
  expectedLegs?: readonly ExpectedLeg[];
}

/**
 * Records the refund of a parked return through its original gateway, before the gateway is called. Where all of it
 * is credit, it is settled at once.
 *
 * Safe to repeat: the attempt of the same request is answered; a return in a terminal status needs none. A refusal leaves the return
 * unchanged, with a comment.
 *
 * Refused with: 404 unknown return · 400 wrong status, no gateway, nothing left · 409 `gateway_uncertain`.
 */
export async function startGatewaySettlement(em: EntityManager, settlement: GatewaySettlement): Promise<Settling> {
  try {
    return await changeReturn(em, settlement, async (tx, { order, rma, done, refuseLate, opened }) => {
      if (done) return asBefore(tx, rma, done);
      if (isTerminal(rma.status)) return { status: rma.status };
      refuseUnlessSettleable(rma);
      const settled = await settleThroughGateway(tx, { ...settlement, order, rma, refuseLate });
      if (settled.attempt) opened(settled.attempt.attemptId);
      return settled;
    });
  } catch (error) {
    await recordSettleRefusal(em, settlement.returnId, error);
    throw error;
  }
}
