import { merchantReference } from '../../db/refunds/merchant-reference.ts';
import { isDecided } from '../../domain/refunds/refund-attempt-state.ts';
import type { ReturnStatus } from '../../domain/returns/return-status.ts';
import { isTerminal, movesByHand } from '../../domain/returns/return-status.ts';
import { canSettle } from '../../domain/returns/settle-rules.ts';
import type { AttemptRow, ReturnRow, SaleTold } from './sale-rows.ts';
import { workflowOfAttempt } from './workflow-of.ts';

const verbs = ['approve', 'receive', 'settle', 'cancel-refund', 'resolve', 'close'] as const;
type Verb = (typeof verbs)[number];

/** The verbs that lead from a status; every open status has at least one (spec 3.2). */
const verbsFrom = (status: ReturnStatus): Verb[] =>
  verbs.filter((verb) => {
    if (verb === 'approve') return movesByHand[status].includes('approved');
    if (verb === 'receive') return status === 'approved';
    if (verb === 'settle') return canSettle(status);
    if (verb === 'cancel-refund') return status === 'awaiting_refund';
    return verb === 'close' || (canSettle(status) && status !== 'awaiting_refund');
  });

/** What can be done about a return; an uncertain refund comes first. */
export function waysOnForReturn(rma: ReturnRow, rows: Pick<SaleTold, 'attempts' | 'processes' | 'w'>): string[] {
  const { attempts, w } = rows;
  const undecided = attempts.find((attempt) => attempt.returnId === rma.returnId && !isDecided(attempt.state));
  if (undecided) return waysOnForAttempt(undecided, rows);
  if (isTerminal(rma.status)) return [w.ways.isOver];
  const told = (verbs: readonly Verb[]) => verbs.map((verb) => w.ways[verb](rma.returnId));
  return rma.isReady ? told(verbsFrom(rma.status)) : [w.ways.notReady, ...told(['close'])];
}

/** What can be done about one attempt. */
export function waysOnForAttempt(attempt: AttemptRow, { processes, w }: Pick<SaleTold, 'processes' | 'w'>): string[] {
  const { attemptId, state, returnId, cannotBeAsked } = attempt;
  const workflow = workflowOfAttempt(attempt, processes);
  switch (state) {
    case 'booked':
      return [w.ways.isBooked];
    case 'failed':
      return [w.ways.tryAgain(returnId)];
    case 'started':
      return [w.ways.wait, ...(workflow === null ? [] : [w.ways.seeWorkflow(workflow)])];
    case 'uncertain':
      return [
        cannotBeAsked ? w.ways.lookInPortal(merchantReference(attempt)) : w.ways.askAgain(attemptId),
        w.ways.ifItWent(attemptId),
        w.ways.ifItDidNot(attemptId),
        w.ways.untilThen(returnId, !cannotBeAsked),
      ];
  }
}
