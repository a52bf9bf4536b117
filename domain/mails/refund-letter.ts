import { type Amount, add, subtract, zero } from '../money/amount.ts';
import type { CreditKind } from '../credits/applied-credit.ts';
import type { SettleMethod } from '../returns/refund-method.ts';
import type { Letter } from './letter.ts';
import { letterPenOf, type LetterPen } from './letter-pen.ts';

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
