import { findReceiptsWithoutOrder, type ReceiptWithoutOrder } from '../db/receipts/receipts-without-order.ts';
import { formatAmount } from '../domain/money.ts';
import { priceText } from '../domain/currency-texts.ts';
import { fine, type Answer, type CommandContext } from './support.ts';
import { ageText } from './uncertain-refunds.ts';

/** The most rows shown at once. */
const mostShown = 200;

/** `receipts without-order`: completed sales without a placed order, oldest first, and what to do. */
export async function receiptsWithoutOrder({ em, now }: CommandContext): Promise<Answer> {
  const receipts = await findReceiptsWithoutOrder(await em(), mostShown);
  const total = receipts[0]?.total ?? 0;
  if (total === 0) return fine('Every sale that has a receipt is an order.', []);
  const heading = total === 1 ? 'One sale has a receipt and no order.' : `${total} sales have a receipt and no order.`;
  const more = total > receipts.length ? [`And ${total - receipts.length} more.`] : [];
  return fine(
    [heading, ...receipts.map((receipt) => describeReceipt(receipt, now())), ...more].join('\n\n'),
    receipts.map(({ total: _all, grandTotal, storedAt, ...receipt }) => ({
      ...receipt,
      grandTotal: grandTotal === null ? null : formatAmount(grandTotal),
      storedAt: storedAt.toISOString(),
    })),
  );
}

function describeReceipt(receipt: ReceiptWithoutOrder, now: Date): string {
  const { receiptId, grandTotal, currency, posOrderId, orderIncrementId } = receipt;
  const paid = grandTotal === null ? 'no total' : priceText(grandTotal, currency ?? '');
  const by = [receipt.staffName, receipt.terminalName, receipt.locationName].filter((name) => name !== null).join(', ');
  const kind = receipt.layawayKind === null ? '' : ` · layaway ${receipt.layawayKind}`;
  return [
    `Receipt ${receiptId} · ${paid} · ${receipt.paymentMethod ?? 'no method'}${kind} · for ${ageText(receipt.storedAt, now)}`,
    `  sold by   ${by || 'unknown'}`,
    `  sale      ${posOrderId}`,
    orderIncrementId === null
      ? '  way on    let that register send its queue: the order names this sale'
      : `  way on    no order has the number ${orderIncrementId}: look for it at that register`,
  ].join('\n');
}
