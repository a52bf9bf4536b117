import { createHash } from 'node:crypto';
import type { ReceiptView } from '../../domain/receipts/receipt-view.ts';
import { renderReceiptDocument } from './render-receipt.ts';

/** Changed whenever the same document would come out of the printer differently. */
const printerVersion = 1;

/** Names a receipt's document by all that it shows: what was printed of another one is out of date. */
export const receiptDigest = (view: ReceiptView): string =>
  createHash('sha256')
    .update(`${printerVersion} ${renderReceiptDocument(view, { logo: view.shop.logo?.digest ?? null })}`)
    .digest('hex');
