import { toWire } from '../../domain/money/amount.ts';
import type { ReceiptCredit, ReceiptView } from '../../domain/receipts/receipt-view.ts';
import type { ReceiptWriter } from './receipt-writer.ts';

/** The payments, with credits used and change given. */
export function printedPayments(view: ReceiptView, pen: ReceiptWriter) {
  const { formats, words } = pen;
  const change = view.changeDue !== null && toWire(view.changeDue) > 0 ? formats.money(view.changeDue) : null;
  const printed = {
    payments: view.payments.map(({ label, amount, details }) => ({
      label,
      value: amount === null ? '' : formats.money(amount),
      details,
    })),
    credits: view.credits.map((credit) => ({
      label: creditLabel(credit, pen),
      value: credit.amount === null ? '' : formats.money(credit.amount),
    })),
    change: change === null ? null : { label: words.change, value: change },
    refundMethod: view.refund?.method ? { label: words.refundMethod, value: view.refund.method } : null,
    reason: view.refund?.reason ? { label: words.reason, value: view.refund.reason } : null,
    pointsEarned:
      view.pointsEarned === null || view.pointsEarned === 0
        ? null
        : { label: words.pointsEarned, value: formats.count(view.pointsEarned) },
  };
  return { ...printed, hasPayments: Object.values(printed).some((part) => (Array.isArray(part) ? part[0] : part)) };
}

function creditLabel({ kind, tail, label, points }: ReceiptCredit, { formats, words }: ReceiptWriter): string {
  const names = {
    store_credit: words.storeCredit,
    gift_card: words.giftCard,
    reward_points: words.rewardPoints,
    other: words.credit,
  };
  const name = label ?? names[kind];
  const further =
    tail !== null ? ` •••• ${tail}` : points !== null ? ` (${formats.count(points)} ${words.points})` : '';
  return `${name}${further}`;
}
