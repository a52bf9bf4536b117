import { allHandlersFinished, condition, setHandler } from '@temporalio/workflow';
import type { PdfOutcome } from '../../domain/receipts/pdf-outcome.ts';
import { makingPdf } from './making-pdf.ts';
import { pdfUpdate, type ReceiptPdfInput } from './messages.ts';

/**
 * Makes the PDF of one receipt for all requests that arrive while it runs; the PDF stays in the database.
 *
 * @returns the outcome, for the Temporal page
 */
export async function receiptPdfWorkflow({ receiptId }: ReceiptPdfInput): Promise<PdfOutcome> {
  let outcome: PdfOutcome | undefined;
  setHandler(pdfUpdate, async () => {
    await condition(() => outcome !== undefined);
    return outcome ?? 'too_much';
  });
  outcome = await makingPdf().makeReceiptPdf({ receiptId });
  await condition(allHandlersFinished);
  return outcome;
}
