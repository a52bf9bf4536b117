import type { EntityManager } from '@mikro-orm/postgresql';
import { PosError } from '../../domain/errors.ts';
import { fillIn } from '../../domain/fill-in.ts';
import { eligibilityOf, notEligible, objectionTo, type RequestedLine } from '../../domain/returns/eligibility.ts';
import { isTerminal, refuseBrokenPieces } from '../../domain/returns/return-status.ts';
import { MoneyRefused } from '../refunds/refundable-money.ts';
import { addReturnComment, addReturnCommentOnce } from './add-return-comment.ts';
import { withReturn } from './lock-return.ts';
import { soldOrder, type ProviderSays, type SoldOrderRecord } from './sold-order.ts';

/**
 * Holds a return after its refused initialisation rolled back, and adds the reason to its history. The caller throws
 * the refusal on.
 *
 * Safe to repeat: every verb tries again, and the sweep where no money was refused. The same reason is added only once.
 */
export async function recordHoldReason(em: EntityManager, returnId: number, error: unknown): Promise<void> {
  if (!(error instanceof PosError) || error.status !== 400) return;
  await commentHeld(em, returnId, whyHeld(error), {
    waitsForCaller: error instanceof MoneyRefused,
  });
}

/** The line in the history of a return that is held. */
export const whyHeld = ({ message, parameters }: PosError): string => `Not ready yet: ${fillIn(message, parameters)}`;

/**
 * Adds the reason for holding a return to its history, once, with the provider's message. Nothing for a return that
 * is not held.
 */
export const commentHeld = (
  em: EntityManager,
  returnId: number,
  comment: string,
  { waitsForCaller = false }: { waitsForCaller?: boolean } = {},
): Promise<void> =>
  withReturn(em, returnId, async (tx, { rma }) => {
    if (rma.isReady || isTerminal(rma.status)) return;
    rma.waitsForCaller = waitsForCaller;
    await addReturnCommentOnce(tx, { returnId, comment, status: rma.status });
  });

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
  { orderId, provider, rows }: { orderId: number; provider: ProviderSays; rows: readonly RequestedLine[] },
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

export interface ProvidedReturn {
  returnId: number;
  providerCode: string;
  /** The provider's reference of the return; null for the built-in one. */
  reference: string | null;
  isRestockedHere: boolean;
}

/**
 * Records the provider of a return and its reference; goods that a provider keeps are not put into our stock.
 *
 * Safe to repeat: a return with a recorded answer is unchanged.
 */
export const recordProvider = (
  em: EntityManager,
  { returnId, providerCode, reference, isRestockedHere }: ProvidedReturn,
): Promise<void> =>
  withReturn(em, returnId, async (tx, { rma }) => {
    if (rma.providerReference !== null) return;
    rma.providerCode = providerCode;
    rma.providerReference = reference;
    if (!isRestockedHere) for (const item of rma.items) item.returnToStock = false;
    if (reference === null) return;
    const comment = `The returns provider "${providerCode}" calls this return ${reference}.`;
    await addReturnComment(tx, { returnId, comment, status: rma.status });
  });
