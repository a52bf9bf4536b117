import type { EntityManager } from '@mikro-orm/postgresql';
import { PosError } from '../../domain/errors.ts';
import { fillIn } from '../../domain/fill-in.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { MoneyRefused } from '../refunds/judge-money.ts';
import { addReturnCommentOnce } from './add-return-comment.ts';
import { withReturn } from './lock-return.ts';

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
