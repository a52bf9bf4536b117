import type { ReceiptView } from '../../domain/receipts/receipt-view.ts';

/** The file name of a receipt's PDF: its number, in letters that every system can store. */
export function receiptFilename({ facts, receiptId }: Pick<ReceiptView, 'facts' | 'receiptId'>): string {
  const number = facts.receiptNumber ?? facts.orderNumber ?? String(receiptId);
  const plain = number
    .replaceAll(/[^A-Za-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40);
  return `receipt-${plain || receiptId}.pdf`;
}
