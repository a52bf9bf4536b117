import { toWire } from '../../domain/money/amount.ts';
import type { ReceiptCredit, ReceiptDetail, ReceiptView } from '../../domain/receipts/receipt-view.ts';
import { codeInWords } from './code-words.ts';
import type { ReceiptWriter } from './receipt-writer.ts';

/** The payments, with credits used and change given. */
export function printedPayments(view: ReceiptView, pen: ReceiptWriter) {
  const { formats, words, beside } = pen;
  const said = (code: string | null) => (code === null ? null : codeInWords(view.locale, code));
  const detailIn = ({ kind, text }: ReceiptDetail): string => {
    if (kind === 'entry') return codeInWords(view.locale, text);
    return kind === 'line' ? text : beside([words[kind], text]);
  };
  const refundMethod = view.refund && (view.refund.methodLabel ?? said(view.refund.method));
  const change = view.changeDue !== null && toWire(view.changeDue) > 0 ? formats.money(view.changeDue) : null;
  const printed = {
    payments: view.payments.map(({ label, method, amount, details }) => ({
      label: label ?? said(method) ?? '–',
      value: amount === null ? '' : formats.money(amount),
      details: details.map(detailIn),
    })),
    credits: view.credits.map((credit) => ({
      label: creditLabel(credit, pen),
      value: credit.amount === null ? '' : formats.money(credit.amount),
    })),
    change: change === null ? null : { label: words.change, value: change },
    refundMethod: refundMethod ? { label: words.refundMethod, value: refundMethod } : null,
    reason: view.refund?.reason ? { label: words.reason, value: view.refund.reason } : null,
    pointsEarned:
      view.pointsEarned === null || view.pointsEarned === 0
        ? null
        : { label: words.pointsEarned, value: formats.count(view.pointsEarned) },
  };
  return { ...printed, hasPayments: Object.values(printed).some((part) => (Array.isArray(part) ? part[0] : part)) };
}

function creditLabel({ kind, tail, label, points }: ReceiptCredit, pen: ReceiptWriter): string {
  const { formats, words, beside } = pen;
  const names = {
    store_credit: words.storeCredit,
    gift_card: words.giftCard,
    reward_points: words.rewardPoints,
    other: words.credit,
  };
  const name = label ?? names[kind];
  if (tail !== null) return beside([name, `•••• ${tail}`]);
  return points === null ? name : beside([name, `(${formats.count(points)} ${words.points})`]);
}
