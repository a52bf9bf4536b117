import { findReceiptDifferences, type ReceiptDifference } from '../db/receipts/receipt-differences.ts';
import { invalid } from '../domain/errors.ts';
import { formatAmount, type Amount } from '../domain/money.ts';
import { fine, type Answer, type CommandContext } from './support.ts';

/** The most rows shown. */
const maxShown = 200;

const maxDays = 3_660;

/** The days that `verify` counts as well. */
export const usualDays = 30;

/**
 * `receipts differences`: sales whose receipt and order have different totals, and totals finer than a coin, newest
 * first. They are stored as they were sent, so nothing is refused and nothing is to be repaired here.
 *
 * Refused with: days that are no number from 1 to 3,660.
 */
export async function receiptDifferences({ em }: CommandContext, { days }: { days?: string } = {}): Promise<Answer> {
  const lastDays = days === undefined ? usualDays : Number(days);
  if (!Number.isInteger(lastDays) || lastDays < 1 || lastDays > maxDays)
    throw invalid('--days is a whole number from 1 to %1.', [maxDays]);
  const found = await findReceiptDifferences(await em(), { days: lastDays, limit: maxShown });
  const total = found[0]?.total ?? 0;
  if (total === 0) return fine(`Receipts and orders of the last ${lastDays} days agree, to the coin.`, []);
  const heading = `Receipts and orders of the last ${lastDays} days that differ, or are finer than a coin: ${total}.`;
  const more = total > found.length ? [`And ${total - found.length} more.`] : [];
  return fine(
    [heading, ...found.map(describeDifference), ...more].join('\n'),
    found.map(({ total: _all, receiptTotal, orderTotal, at, ...row }) => ({
      ...row,
      receiptTotal: receiptTotal === null ? null : formatAmount(receiptTotal),
      orderTotal: orderTotal === null ? null : formatAmount(orderTotal),
      at: at.toISOString(),
    })),
  );
}

const priced = (value: Amount | null, currency: string | null) =>
  value === null ? 'no total' : `${formatAmount(value)} ${currency ?? ''}`.trim();

function describeDifference(row: ReceiptDifference): string {
  const { kind, receiptId, orderNumber, saleId, at } = row;
  const receipt = receiptId === null ? [] : [`receipt ${receiptId} ${priced(row.receiptTotal, row.receiptCurrency)}`];
  const order = row.orderId === null ? [] : [`order ${orderNumber} ${priced(row.orderTotal, row.orderCurrency)}`];
  const why = kind === 'total' ? 'the totals differ' : 'finer than a coin';
  return `${at.toISOString()}  ${[...receipt, ...order].join(' · ')} · sale ${saleId ?? 'unknown'}: ${why}`;
}
