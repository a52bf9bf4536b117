import type { CreditKind } from '../credits/applied-credit.ts';
import { priceText } from '../currency-texts.ts';
import { add, subtract, zero, type Amount } from '../money.ts';
import type { SettleMethod } from '../returns/resolution.ts';
import { letterPenOf, type LetterPen } from './letter-pen.ts';
import type { Letter } from './letters.ts';

export interface UncertainRefundToTell {
  attemptId: number;
  /** The gateway's key for the attempt, and the id of the workflow that follows it. */
  reference: string;
  orderIncrementId: string;
  returnId: number | null;
  paymentMethod: string;
  amount: Amount;
  currencyCode: string;
  /** ISO 8601. */
  since: string;
  /** How many whole hours that is. */
  hours: number;
  /** Where the goods came back; null: not known. */
  shop: string | null;
  lastWord: string | null;
  canLookUp: boolean;
  /** The workflow's page; null where the address of the pages is not set. */
  pageUrl: string | null;
  /** The operator's page, where one button settles it. */
  opsUrl: string;
}

/**
 * The mail to an operator about an uncertain refund: what is known, what to check, and the exact commands to resolve
 * it.
 */
export function uncertainRefundLetter(question: UncertainRefundToTell): Letter {
  const { attemptId, orderIncrementId, returnId, paymentMethod, reference, pageUrl } = question;
  const sum = priceText(question.amount, question.currencyCode);
  const command = `npm run --silent pos -- refunds`;
  const lines = [
    `Since ${question.since} it is not known whether the customer got ${sum} back.`,
    '',
    `Settle it: ${question.opsUrl}`,
    '',
    ...(question.shop === null ? [] : [`Shop:      ${question.shop}`]),
    `Order:     ${orderIncrementId}`,
    ...(returnId === null ? [] : [`Return:    ${returnId}`]),
    `Amount:    ${sum}`,
    `Method:    ${paymentMethod}`,
    `Answer:    ${question.lastWord ?? 'none'}`,
    `Waits for: ${question.hours === 0 ? 'less than an hour' : `${question.hours} h`}`,
    '',
    'Until this is known, nothing else is refunded there.',
    '',
    `What to check: look for the reference ${reference} in the gateway's portal.`,
    ...(question.canLookUp ? [] : ['This gateway cannot be asked: a person must find out.']),
    '',
    'Then say what you saw, on that page or here:',
    '',
    `  ${command} resolve ${attemptId} refunded --staff "NAME" --note "TEXT"`,
    `  ${command} resolve ${attemptId} not_refunded --staff "NAME" --note "TEXT"`,
    ...(question.canLookUp ? ['', 'Or ask the gateway again:', '', `  ${command} reconcile ${attemptId}`] : []),
    ...(pageUrl === null ? [] : ['', `Its page: ${pageUrl}`]),
    '',
    'This mail comes at once, after four hours and after a day, until the question is answered.',
    '',
  ];
  return { subject: `A refund of ${sum} is uncertain (order ${orderIncrementId})`, text: lines.join('\n') };
}

/** The part that went back to a credit of the order. */
export interface RefundedLeg {
  kind: CreditKind;
  /** In the order's currency; zero for points that were a discount. */
  amount: Amount;
  points: number | null;
}

export interface RefundToTell {
  /** Of the order's store view. */
  locale: string;
  shopName: string;
  orderIncrementId: string;
  memoIncrementId: string;
  method: SettleMethod;
  currencyCode: string;
  /** The memo's total, in the order's currency. */
  total: Amount;
  legs: readonly RefundedLeg[];
}

/** The mail to a customer about a refund: the sums and where they went. It names no card and no person. */
export function refundLetter(refund: RefundToTell): Letter {
  const { shopName, currencyCode, total, legs } = refund;
  const pen = letterPenOf(refund.locale);
  const { words, value, price } = pen;
  const order = value(refund.orderIncrementId);
  const handback = subtract(total, add(zero, ...legs.map((leg) => leg.amount)));
  const parts = [
    ...(handback > 0 ? [pen.beside([price(handback, currencyCode), words.refund.went[refund.method]])] : []),
    ...legs.map((leg) => legText(leg, { currencyCode, pen })),
  ];
  return {
    subject: words.refund.subject(order),
    text: [
      words.greeting,
      '',
      `${words.refund.opening(value(price(total, currencyCode)), order)}:`,
      '',
      ...parts.map((part) => `- ${part}`),
      '',
      words.refund.memo(value(refund.memoIncrementId)),
      '',
      shopName,
      '',
    ].join('\n'),
  };
}

function legText(
  { kind, amount, points }: RefundedLeg,
  { currencyCode, pen: { words, beside, price } }: { currencyCode: string; pen: LetterPen },
): string {
  const { backTo, points: pointsText } = words.refund;
  const count = points === null ? '' : pointsText(points);
  if (amount === 0) return beside([count, backTo.reward_points]);
  const sum = price(amount, currencyCode);
  return kind === 'reward_points' ? beside([sum, `(${count})`, backTo[kind]]) : beside([sum, backTo[kind]]);
}
