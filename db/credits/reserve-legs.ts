import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreditLeg } from '../../domain/credits/applied-credit.ts';
import { add, negate } from '../../domain/money.ts';
import { readCreditRows, saveOrderCredits } from './give-credits-back.ts';

export interface LegsToReserve {
  orderId: number;
  legs: readonly CreditLeg[];
}

/**
 * Reserves legs for a gateway refund until it is decided: no other refund gives them back meanwhile. In the caller's
 * transaction, under the order lock. The database itself refuses more than is left.
 */
export const reserveLegs = (em: EntityManager, requested: LegsToReserve) => move(em, requested, 1);

/** Releases what `reserveLegs` reserved: the refund failed, or is about to give the legs back. */
export const releaseLegs = (em: EntityManager, requested: LegsToReserve) => move(em, requested, -1);

async function move(em: EntityManager, { orderId, legs }: LegsToReserve, sign: 1 | -1): Promise<void> {
  if (legs.length === 0) return;
  const credits = await readCreditRows(em, orderId);
  const signed = sign === 1 ? (value: CreditLeg['amount']) => value : negate;
  for (const { creditId, baseAmount, amount, points } of legs) {
    const credit = credits.find((one) => one.creditId === creditId);
    if (!credit) throw new Error(`credit ${creditId} does not belong to order ${orderId}`);
    credit.baseReserved = add(credit.baseReserved, signed(baseAmount));
    credit.amountReserved = add(credit.amountReserved, signed(amount));
    credit.pointsReserved += sign * (points ?? 0);
  }
  await saveOrderCredits(em, credits);
}
