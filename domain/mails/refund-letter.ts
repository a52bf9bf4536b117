import { type Amount, add, subtract, zero } from '../money/amount.ts';
import { priceText } from '../money/price-text.ts';
import type { CreditKind } from '../credits/applied-credit.ts';
import type { SettleMethod } from '../returns/refund-method.ts';
import type { Letter } from './letter.ts';

/** The part that went back to a credit of the order. */
export interface RefundedLeg {
  kind: CreditKind;
  /** In the order's currency; zero for points that were a discount. */
  amount: Amount;
  points: number | null;
}

export interface RefundToTell {
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
  const { shopName, orderIncrementId, memoIncrementId, currencyCode, total, legs } = refund;
  const handback = subtract(total, add(zero, ...legs.map((leg) => leg.amount)));
  const parts = [
    ...(handback > 0 ? [`${priceText(handback, currencyCode)} ${went[refund.method]}`] : []),
    ...legs.map((leg) => legText(leg, currencyCode)),
  ];
  return {
    subject: `Your refund for order ${orderIncrementId}`,
    text: [
      'Hello,',
      '',
      `we have refunded ${priceText(total, currencyCode)} for your order ${orderIncrementId}:`,
      '',
      ...parts.map((part) => `- ${part}`),
      '',
      `The number of your credit memo is ${memoIncrementId}.`,
      '',
      shopName,
      '',
    ].join('\n'),
  };
}

/** How the money part went back. */
const went: Record<SettleMethod, string> = {
  original_payment: 'to the card you paid with; your bank may take some days to show it',
  terminal: 'to your card, at the terminal in the shop',
  store_credit: 'as store credit',
  cash: 'in cash',
  exchange: 'towards your exchange',
  manual_card: 'to your card',
};

function legText({ kind, amount, points }: RefundedLeg, currencyCode: string): string {
  const count = points === null ? '' : `${points} ${points === 1 ? 'point' : 'points'}`;
  if (amount === 0) return `${count} back to your reward points`;
  const sum = priceText(amount, currencyCode);
  return kind === 'reward_points' ? `${sum} (${count}) back to your reward points` : `${sum} ${backTo[kind]}`;
}

const backTo: Record<Exclude<CreditKind, 'reward_points'>, string> = {
  store_credit: 'back to your store credit',
  gift_card: 'back to your gift card',
};
