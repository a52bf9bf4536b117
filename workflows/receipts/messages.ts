import type { PdfOutcome } from '../../domain/receipts/pdf-outcome.ts';
import { defineUpdate } from '../support/definitions.ts';

export interface ReceiptPdfInput {
  receiptId: number;
}

export const receiptPdfWorkflowId = (receiptId: number) => `receipt-pdf-${receiptId}`;

/** Waits until the PDF is made or has failed. */
export const pdfUpdate = defineUpdate<PdfOutcome, [object]>('pdf');
