import { createHash } from 'node:crypto';
import type { ReceiptView } from '../../domain/receipts/receipt-view.ts';
import { renderReceiptDocument } from './render-receipt.ts';

/** Increase it whenever the printer would print the same document differently. */
const printerVersion = 2;

/** A digest of everything that a receipt shows: a PDF with another digest is out of date. */
export const receiptDigest = (view: ReceiptView): string =>
  createHash('sha256')
    .update(`${printerVersion} ${renderReceiptDocument(view, { logo: view.shop.logo?.digest ?? null })}`)
    .digest('hex');
