import type { EntityManager } from '@mikro-orm/postgresql';
import type { AppliedCredit } from '../../domain/credits/applied-credit.ts';
import { add } from '../../domain/money/amount.ts';
import { readCreditRows } from './order-credit-rows.ts';

/**
 * The credits of an order as a refund needs them, in the order they were posted. Amounts promised to refunds under
 * way count as given back. Read it under the order lock before changing anything.
 */
export async function readOrderCredits(em: EntityManager, orderId: number): Promise<AppliedCredit[]> {
  const credits = await readCreditRows(em, orderId);
  return credits.map((credit) => ({
    creditId: credit.creditId,
    kind: credit.kind,
    providerCode: credit.providerCode,
    appliesAs: credit.appliesAs,
    code: credit.code,
    baseAmount: credit.baseAmount,
    amount: credit.amount,
    points: credit.points,
    baseReturned: add(credit.baseReturned, credit.baseReserved),
    amountReturned: add(credit.amountReturned, credit.amountReserved),
    pointsReturned: credit.pointsReturned + credit.pointsReserved,
  }));
}
