import { merchantReference } from '../../db/refunds/merchant-reference.ts';
import { isDecided } from '../../domain/refunds/refund-attempt-state.ts';
import type { ReturnStatus } from '../../domain/returns/return-status.ts';
import { isTerminal, movesByHand } from '../../domain/returns/return-status.ts';
import { canSettle } from '../../domain/returns/settle-rules.ts';
import type { AttemptRow, ReturnRow, SaleRows } from './sale-rows.ts';
import { workflowOfAttempt } from './workflow-of.ts';

/** The verbs that lead from a status; every open status has at least one (spec 3.2). */
const verbsFrom = (status: ReturnStatus): string[] => [
  ...(movesByHand[status].includes('approved') ? ['approve'] : []),
  ...(status === 'approved' ? ['receive'] : []),
  ...(canSettle(status) ? ['settle'] : []),
  ...(status === 'awaiting_refund' ? ['cancel-refund'] : []),
  ...(canSettle(status) && status !== 'awaiting_refund' ? ['resolve'] : []),
  'close',
];

const meaning: Record<string, (rma: ReturnRow) => string> = {
  approve: ({ returnId }) =>
    `Approve it, or refuse it: PUT /V1/pos/rma/${returnId}/status with "approved" or "rejected".`,
  receive: ({ returnId }) => `Take the goods in: POST /V1/pos/rma/${returnId}/receive.`,
  settle: ({ returnId }) =>
    `Give the money back: POST /V1/pos/rma/${returnId}/settle with a method (cash, terminal, original_payment …).`,
  resolve: ({ returnId }) => `Decide line by line (refund, exchange, repair …): POST /V1/pos/rma/${returnId}/resolve.`,
  'cancel-refund': ({ returnId }) =>
    `Keep the goods and cancel the refund: POST /V1/pos/rma/${returnId}/cancel-refund.`,
  close: ({ returnId }) => `Hand the goods back without a refund: POST /V1/pos/rma/${returnId}/close.`,
};

/** What can be done about a return; an uncertain refund comes first. */
export function waysOnForReturn(
  rma: ReturnRow,
  { attempts, processes }: Pick<SaleRows, 'attempts' | 'processes'>,
): string[] {
  const undecided = attempts.find((attempt) => attempt.returnId === rma.returnId && !isDecided(attempt.state));
  if (undecided) return waysOnForAttempt(undecided, processes);
  if (isTerminal(rma.status)) return ['Nothing: this return is over.'];
  if (!rma.isReady) {
    return [
      'Its creation is not finished. It is retried every minute and by each request; if its history says why it is held, fix that first.',
      ...verbsOf(rma, ['close']),
    ];
  }
  return verbsOf(rma, verbsFrom(rma.status));
}

const verbsOf = (rma: ReturnRow, verbs: readonly string[]): string[] =>
  verbs.flatMap((verb) => meaning[verb]?.(rma) ?? []);

/** What can be done about one attempt. */
export function waysOnForAttempt(attempt: AttemptRow, processes: SaleRows['processes']): string[] {
  const { attemptId, state, returnId, cannotBeAsked } = attempt;
  const workflow = workflowOfAttempt(attempt, processes);
  switch (state) {
    case 'booked':
      return ['Nothing: the money went back and is booked.'];
    case 'failed':
      return returnId === null
        ? ['Nothing moved, so the refund can be tried again.']
        : [`Nothing moved, so return ${returnId} can be settled again, through the gateway or in another way.`];
    case 'started':
      return [
        'Wait: the call is being made. A minute after its deadline the service checks it automatically.',
        ...(workflow === null ? [] : [`To see it at work: workflow ${workflow} in the Temporal page.`]),
      ];
    case 'uncertain':
      return [
        cannotBeAsked
          ? `This gateway cannot be asked. Look for ${merchantReference(attempt)} in its portal.`
          : `Ask the gateway again: npm run pos -- refunds reconcile ${attemptId}`,
        `Look at the gateway's own page or statement; if the money went back: npm run pos -- refunds resolve ${attemptId} refunded --staff NAME --note TEXT`,
        `If it did not: npm run pos -- refunds resolve ${attemptId} not_refunded --staff NAME --note TEXT`,
        `Until then ${returnId === null ? 'no other refund of this order without a return goes through its gateway' : 'nothing else of this return is refunded'}.${cannotBeAsked ? '' : ' The service asks the gateway again automatically: soon, then hourly, then daily.'}`,
      ];
  }
}
