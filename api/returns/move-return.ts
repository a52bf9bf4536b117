import { findReturn, type ReturnRecord } from '../../db/returns/return.repository.ts';
import { moveByHand, type ReturnStatus } from '../../domain/returns/return-status.ts';
import { setStatusUpdate } from '../../workflows/returns/messages.ts';
import type { RouteContext } from '../http/route.ts';
import { askReturn } from './ask-return.ts';
import { wordsOf } from './words-of.ts';

/** A status that a return is to have, and why. */
export interface WantedMove {
  rmaId: number;
  status: ReturnStatus;
  comment?: string | undefined;
}

/**
 * Sets the status of a return by hand. A status that is there already is left as it is, without the comment.
 *
 * Refused with: 404 unknown return · 400 a move that is not permitted · 409 `return_not_ready`.
 */
export async function moveReturn(request: RouteContext, { rmaId, status, comment }: WantedMove): Promise<ReturnRecord> {
  const { em } = request;
  const rma = await findReturn(em, rmaId);
  if (moveByHand(rma.status, status) === rma.status) return rma;
  return askReturn(request, {
    rma,
    update: setStatusUpdate,
    request: { status, words: wordsOf(request, comment) },
    isDone: (now) => now.status === status,
  });
}
