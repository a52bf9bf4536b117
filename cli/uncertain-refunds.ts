import type { EntityManager } from '@mikro-orm/postgresql';
import { amountText } from '../books/explain/english-story.ts';
import { merchantReference } from '../db/refunds/merchant-reference.ts';
import { uncertainRefundAttempts, type RefundAttemptRecord } from '../db/refunds/refund-attempt.repository.ts';
import type { Settings } from '../providers/settings.ts';
import { refundAttemptId } from '../domain/refunds/refund-finding.ts';
import { fine, canLookUp, type Answer, type CommandContext } from './support.ts';

/** The most rows shown at once. */
const mostShown = 200;

/** `refunds uncertain`: the uncertain refunds, oldest first, with what is known and the three ways to resolve them. */
export async function uncertainRefunds({ em, now, settings }: CommandContext): Promise<Answer> {
  const connected = await em();
  const attempts = await withLookUps(connected, await uncertainRefundAttempts(connected, mostShown), settings);
  const count = attempts.length === mostShown ? `The oldest ${mostShown} refunds` : plural(attempts.length);
  const text =
    attempts.length === 0
      ? 'No refund is uncertain.'
      : [
          `${count} without a known end, oldest first.`,
          ...attempts.map((attempt) => describeAttempt(attempt, now(), settings)),
        ].join('\n\n');
  return fine(text, attempts);
}

type Question = RefundAttemptRecord & { canLookUp: boolean };

/** Each gateway is looked up once, however many of its refunds are uncertain. */
async function withLookUps(
  em: EntityManager,
  attempts: readonly RefundAttemptRecord[],
  settings: Settings,
): Promise<Question[]> {
  const known = new Map<string, Promise<boolean>>();
  return Promise.all(
    attempts.map(async (attempt) => {
      const gateway = `${attempt.storeId} ${attempt.paymentMethod}`;
      const request = known.get(gateway) ?? canLookUp(em, attempt, settings);
      known.set(gateway, request);
      return { ...attempt, canLookUp: await request };
    }),
  );
}

const plural = (count: number) => (count === 1 ? 'One refund' : `${count} refunds`);

function describeAttempt(
  attempt: Question,
  now: Date,
  { TEMPORAL_UI_URL: ui, TEMPORAL_NAMESPACE: namespace }: CommandContext['settings'],
): string {
  const { attemptId, paymentMethod, orderIncrementId, returnId } = attempt;
  const amount = amountText(String(attempt.amount), attempt.currencyCode);
  const reply = [attempt.gatewayOutcome, attempt.message].filter((part) => part !== null).join(': ');
  const rma = returnId === null ? '' : ` · return ${returnId}`;
  const page =
    ui === undefined ? [] : [`  see       ${ui}/namespaces/${namespace}/workflows/${refundAttemptId(attemptId)}`];
  return [
    `Attempt ${attemptId} · ${amount} through ${paymentMethod} · order ${orderIncrementId}${rma} · for ${ageText(attempt.createdAt, now)}`,
    `  asked     give back ${amount}, reference ${merchantReference(attempt)}`,
    `  answered  ${reply || 'nothing'}`,
    attempt.canLookUp
      ? `  ways on   npm run pos -- refunds reconcile ${attemptId}`
      : `  ways on   this gateway cannot be asked: look for the reference in its portal, then`,
    `            npm run pos -- refunds resolve ${attemptId} refunded --staff NAME --note TEXT`,
    `            npm run pos -- refunds resolve ${attemptId} not_refunded --staff NAME --note TEXT`,
    ...page,
  ].join('\n');
}

/** `2 d 3 h`, `5 h 12 min`, `40 s`: the two largest units. */
export function ageText(createdAt: string | Date, now: Date): string {
  const since = typeof createdAt === 'string' ? Date.parse(`${createdAt.replace(' ', 'T')}Z`) : createdAt.getTime();
  const seconds = Math.max(0, Math.floor((now.getTime() - since) / 1_000));
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
