import type { EntityManager } from '@mikro-orm/postgresql';
import { amount } from '../../domain/money.ts';
import type { RefundAttemptState } from '../../domain/refunds/refund-finding.ts';
import type { SettlementOptions } from '../../domain/refunds/quote-refund.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import type { RefundPlan } from '../refunds/refund-attempt.entity.ts';
import type { AttemptRow } from '../refunds/refund-attempt.repository.ts';
import type { LockedReturn } from '../returns/lock-return.ts';
import { sql } from '../support/sql.ts';
import { bookTenders } from './book-tenders.ts';
import { isRefunded, readTenderRows, saveTenders, type TenderRow } from '../tenders/return-tenders.ts';

export interface LineVerdict {
  order: LockedOrder;
  rma: LockedReturn;
  attempt: AttemptRow;
  state: RefundAttemptState;
  gatewayReference: string | null;
}

/**
 * Records what became of one tender line, in the verdict's transaction. A line that went back before the memo is
 * `refunded`: its attempt stays `started` with its outcome, and is never called or looked up again. Where it was the
 * last one, and no line is left for a register, the memo of all lines is booked at once.
 */
export async function recordLine(em: EntityManager, verdict: LineVerdict): Promise<{ mailId?: number }> {
  const { order, rma, attempt, state, gatewayReference } = verdict;
  const rows = await readTenderRows(em, rma.returnId);
  const row = rows.find(({ attemptId }) => attemptId === attempt.attemptId);
  if (row === undefined) throw new Error(`refund attempt ${attempt.attemptId} has no tender line`);
  row.state = lineStateOf(attempt, state);
  if (state !== 'booked') {
    attempt.state = state;
    await saveTenders(em, rows);
    return {};
  }
  Object.assign(attempt, { state: 'started', lineOutcome: 'refunded', gatewayReference });
  if (!rows.every(isRefunded)) {
    await saveTenders(em, rows);
    return {};
  }
  const options = optionsOf(attempt.plan);
  const { mailId } = await bookTenders(em, { order, rma, rows, options, locked: [attempt] });
  return mailId === undefined ? {} : { mailId };
}

/** A call that was never made declined nothing. */
function lineStateOf({ callStartedAt }: AttemptRow, state: RefundAttemptState): TenderRow['state'] {
  if (state === 'booked') return 'refunded';
  if (state === 'failed') return callStartedAt === null ? 'open' : 'declined';
  return state;
}

/** The options of a settlement, as the plan of its attempt has them. */
const optionsOf = (plan: RefundPlan): SettlementOptions => ({
  adjustmentPositive: amount(plan.adjustmentPositive),
  adjustmentNegative: amount(plan.adjustmentNegative),
  shippingAmount: plan.shippingAmount === null ? null : amount(plan.shippingAmount),
  notifyCustomer: plan.notifyCustomer,
});

/** The line shows why it was declined. */
export const nameReason = (em: EntityManager, { attemptId, message }: AttemptRow): Promise<number> =>
  name.run(em, { attemptId, message });

const name = sql('record-line.name')`
  update sale_return_tender set message = $message?, updated_at = now() where attempt_id = $attemptId`;
