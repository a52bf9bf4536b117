import { LostLink } from './lost-link.entity.ts';
import { ReceiptCount } from './receipt-count.entity.ts';
import { ReceiptLogo } from './receipt-logo.entity.ts';
import { ReceiptPdf } from './receipt-pdf.entity.ts';
import { Receipt, ReceiptItem } from './receipt.entity.ts';

/** All entities of receipts. */
export const receiptEntities = [Receipt, ReceiptItem, ReceiptCount, ReceiptLogo, ReceiptPdf, LostLink] as const;
