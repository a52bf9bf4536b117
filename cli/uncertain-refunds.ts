import { amountText } from '../db/explain/amount-text.ts';
import { uncertainRefundAttempts, type RefundAttemptRecord } from '../db/refunds/refund-attempt.repository.ts';
import { refundAttemptId } from '../workflows/refunds/messages.ts';
import { fine, type Answer } from './support/answer.ts';
import type { Surroundings } from './support/surroundings.ts';

/** Nobody works down more at a sitting. */
const mostShown = 200;

/** `refunds uncertain`: the refunds nobody knows the end of, oldest first, with what is known and the three ways on. */
export async function uncertainRefunds({ em, now, settings }: Surroundings): Promise<Answer> {
  const attempts = await uncertainRefundAttempts(await em(), mostShown);
  const count = attempts.length === mostShown ? `The oldest ${mostShown} refunds` : plural(attempts.length);
  const text =
    attempts.length === 0
      ? 'No refund is uncertain.'
      : [
          `${count} nobody knows the end of, oldest first.`,
          ...attempts.map((attempt) => told(attempt, now(), settings)),
        ].join('\n\n');
  return fine(text, attempts);
}

const plural = (count: number) => (count === 1 ? 'One refund' : `${count} refunds`);

function told(
  attempt: RefundAttemptRecord,
  now: Date,
  { TEMPORAL_UI_URL: ui, TEMPORAL_NAMESPACE: namespace }: Surroundings['settings'],
): string {
  const { attemptId, paymentMethod, orderIncrementId, returnId } = attempt;
  const amount = amountText(String(attempt.amount), attempt.currencyCode);
  const said = [attempt.gatewayOutcome, attempt.message].filter((part) => part !== null).join(': ');
  const rma = returnId === null ? '' : ` · return ${returnId}`;
  const page =
    ui === undefined ? [] : [`  see       ${ui}/namespaces/${namespace}/workflows/${refundAttemptId(attemptId)}`];
  return [
    `Attempt ${attemptId} · ${amount} through ${paymentMethod} · order ${orderIncrementId}${rma} · for ${ageText(attempt.createdAt, now)}`,
    `  asked     give back ${amount}, reference ${refundAttemptId(attemptId)}`,
    `  answered  ${said || 'nothing'}`,
    `  ways on   npm run pos -- refunds reconcile ${attemptId}`,
    `            npm run pos -- refunds resolve ${attemptId} refunded --staff NAME --note TEXT`,
    `            npm run pos -- refunds resolve ${attemptId} not_refunded --staff NAME --note TEXT`,
    ...page,
  ].join('\n');
}

/** `2 d 3 h`, `5 h 12 min`, `40 s`: the two greatest units. */
export function ageText(createdAt: string, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - Date.parse(`${createdAt.replace(' ', 'T')}Z`)) / 1_000));
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  return first < 0
    ? '0 s'
    : parts
        .slice(first, first + 2)
        .map(([count, unit]) => `${count} ${unit}`)
        .join(' ');
}
