import { reconcileUpdate } from '../workflows/refunds/messages.ts';
import type { Answer } from './support/answer.ts';
import { decideAttempt } from './support/decide-attempt.ts';
import { rowId } from './support/row-id.ts';
import type { Surroundings } from './support/surroundings.ts';

/** `refunds reconcile ID`: asks the gateway again what became of a refund, and books what it says (spec 3.3). */
export const reconcileRefund = async (surroundings: Surroundings, id: string): Promise<Answer> =>
  decideAttempt(surroundings, { attemptId: rowId(id, 'a refund attempt'), update: reconcileUpdate, request: null });
