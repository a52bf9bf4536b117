import { subtract, type Amount } from '../../domain/money/amount.ts';
import type { ReceiptView } from '../../domain/receipts/receipt-view.ts';
import type { ReceiptWriter } from './receipt-writer.ts';

/** The paid part of a layaway, or of an order with credit due. */
export function printedLayaway({ kind, layaway, totals }: ReceiptView, { formats, words }: ReceiptWriter) {
  if (layaway === null) return null;
  const owed = layaway.balanceOwed ?? restOf(totals.grandTotal, layaway.totalPaid);
  const isPaid = owed !== null && owed <= 0;
  const owedLabel = kind === 'credit_due' ? words.remainingDue : words.balanceOwed;
  const rows: [string, string | null][] = [
    [words.paidNow, layaway.captured === null ? null : formats.money(layaway.captured)],
    [words.totalPaid, layaway.totalPaid === null ? null : formats.money(layaway.totalPaid)],
    [owedLabel, owed === null ? null : formats.money(owed)],
    [words.payBy, layaway.expiresAt === null || isPaid ? null : formats.day(layaway.expiresAt)],
  ];
  return {
    title: kind === 'credit_due' ? words.balance : words.layaway,
    rows: rows.flatMap(([label, value]) => (value === null ? [] : [{ label, value }])),
    paid: isPaid ? words.paidInFull : null,
    share: shareOf(layaway.totalPaid, owed),
  };
}

const restOf = (total: Amount | null, paid: Amount | null) =>
  total === null || paid === null ? null : subtract(total, paid);

/** In whole percent, for a bar. */
function shareOf(paid: Amount | null, owed: Amount | null): number | null {
  if (paid === null || owed === null || paid + owed <= 0) return null;
  return Math.min(100, Math.max(0, Math.floor((paid * 100) / (paid + owed))));
}
