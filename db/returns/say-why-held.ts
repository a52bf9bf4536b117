import type { EntityManager } from '@mikro-orm/postgresql';
import { PosError } from '../../domain/errors.ts';
import { fillIn } from '../../domain/fill-in.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { transact } from '../support/transact.ts';
import { addReturnComment } from './add-return-comment.ts';
import { ReturnComment } from './return.entity.ts';
import { lockOrderAndReturn } from './return.repository.ts';

/**
 * After a refused initialisation rolled back: the return is held, and its history says why. The caller throws the refusal
 * on.
 *
 * Safe to repeat: it is tried again by every verb and by the sweep, and a reason that was given is not given twice.
 */
export async function sayWhyHeld(em: EntityManager, returnId: number, error: unknown): Promise<void> {
  if (!(error instanceof PosError) || error.status !== 400) return;
  await sayHeld(em, returnId, `Not ready yet: ${fillIn(error.message, error.parameters)}`);
}

/** Says once in its history why a return is held, with whatever its provider had to say. Nothing for one that is not. */
export const sayHeld = (em: EntityManager, returnId: number, comment: string): Promise<void> =>
  transact(em, async (tx) => {
    const { rma } = await lockOrderAndReturn(tx, returnId);
    if (rma.isReady || isTerminal(rma.status)) return;
    if ((await tx.count(ReturnComment, { returnId, comment })) > 0) return;
    addReturnComment(tx, { returnId, comment, status: rma.status });
  });
