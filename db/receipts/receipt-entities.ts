import { LostLink, ReceiptCount, ReceiptLogo, ReceiptPdf, Receipt, ReceiptItem } from './receipt.entity.ts';

/** All entities of receipts. */
export const receiptEntities = [Receipt, ReceiptItem, ReceiptCount, ReceiptLogo, ReceiptPdf, LostLink] as const;
