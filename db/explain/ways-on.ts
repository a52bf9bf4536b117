import { isDecided } from '../../domain/refunds/refund-attempt-state.ts';
import type { ReturnStatus } from '../../domain/returns/return-status.ts';
import { isTerminal, movesByHand } from '../../domain/returns/return-status.ts';
import { canSettle } from '../../domain/returns/settle-rules.ts';
import { amountText, qtyText } from './amount-text.ts';
import { isPaidByItself, waysOnForLayaway } from './layaway-events.ts';
import type { AttemptRow, ReturnRow, SaleRows } from './sale-rows.ts';

/** The verbs that lead on from a status: nothing is ever stuck without one (spec 3.2). */
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
    `Keep the goods, leave the money for later: POST /V1/pos/rma/${returnId}/cancel-refund.`,
  close: ({ returnId }) => `Hand the goods back and give nothing: POST /V1/pos/rma/${returnId}/close.`,
};

/** What can be done about a return; an uncertain refund comes before everything else. */
export function waysOnForReturn(rma: ReturnRow, attempts: readonly AttemptRow[]): string[] {
  const undecided = attempts.find((attempt) => attempt.returnId === rma.returnId && !isDecided(attempt.state));
  if (undecided) return waysOnForAttempt(undecided);
  if (isTerminal(rma.status)) return ['Nothing: this return is over.'];
  if (!rma.isReady) {
    return [
      'Its beginning was interrupted. The register sends the same create or a settle again, and it is finished then; the service tries by itself every minute.',
    ];
  }
  return verbsFrom(rma.status).flatMap((verb) => meaning[verb]?.(rma) ?? []);
}

/** What can be done about one attempt. */
export function waysOnForAttempt({ attemptId, state, returnId, cannotBeAsked }: AttemptRow): string[] {
  switch (state) {
    case 'booked':
      return ['Nothing: the money went back and is booked.'];
    case 'failed':
      return returnId === null
        ? ['Nothing moved, so the refund can be tried again.']
        : [`Nothing moved, so return ${returnId} can be settled again, through the gateway or in another way.`];
    case 'started':
      return [
        'Wait: the call is being made. A minute after its deadline the service looks for it by itself.',
        `To see it at work: workflow ${returnId === null ? `refund-attempt-${attemptId}` : `return-${returnId}`} in the Temporal page.`,
      ];
    case 'uncertain':
      return [
        cannotBeAsked
          ? `This gateway cannot be asked. Look for refund-attempt-${attemptId} in its portal.`
          : `Ask the gateway again: npm run pos -- refunds reconcile ${attemptId}`,
        `Look at the gateway's own page or statement; if the money went back: npm run pos -- refunds resolve ${attemptId} refunded --staff NAME --note TEXT`,
        `If it did not: npm run pos -- refunds resolve ${attemptId} not_refunded --staff NAME --note TEXT`,
        `Until then nothing else of this return is refunded.${cannotBeAsked ? '' : ' The service asks the gateway again by itself: soon, then hourly, then daily.'}`,
      ];
  }
}

/** What can be done about an order: what is still to be paid, handed over or given back. */
export function waysOnForOrder(rows: SaleRows): string[] {
  const { order, lines, returns, attempts } = rows;
  const toShip = lines.filter((line) => Number(leftToShip(line)) > 0);
  const open = returns.filter(({ status }) => !isTerminal(status));
  const ways = [
    ...(order.state === 'canceled' ? [] : waysOnForLayaway(rows)),
    ...(Number(order.totalDue) > 0 && order.state !== 'canceled' && !isPaidByItself(rows)
      ? [
          `Take the ${amountText(order.totalDue, order.currency)} still to be paid: POST /V1/order/${order.orderId}/invoice.`,
        ]
      : []),
    ...(toShip.length > 0 && order.state !== 'canceled' && order.state !== 'closed'
      ? [
          `Hand over ${toShip.map((line) => `${qtyText(leftToShip(line))} × ${line.sku}`).join(', ')}: POST /V1/order/${order.orderId}/ship.`,
        ]
      : []),
    ...open.flatMap((rma) => waysOnForReturn(rma, attempts).map((way) => `Return ${rma.incrementId}: ${way}`)),
  ];
  return ways.length > 0 ? ways : ['Nothing waits to be done.'];
}

/** Decimal text of what is left to ship: ordered less the greater of shipped and refunded, less cancelled. */
function leftToShip({ qtyOrdered, qtyShipped, qtyRefunded, qtyCanceled }: SaleRows['lines'][number]): string {
  const [ordered = 0, shipped = 0, refunded = 0, canceled = 0] = [qtyOrdered, qtyShipped, qtyRefunded, qtyCanceled].map(
    (text) => Math.round(Number(text) * 10_000),
  );
  return String((ordered - Math.max(shipped, refunded) - canceled) / 10_000);
}
