import { receiptFilename } from '../../../providers/receipts/receipt-filename.ts';
import { makeReceiptPdf } from '../make-receipt-pdf.ts';
import type { ReceiptVisit, VisitAnswer } from './receipt-visit.ts';
import { countVisit } from './visit-limits.ts';

/** The receipt's PDF. A `HEAD` request makes none. Refused as `makeReceiptPdf`. */
export async function downloadReceipt(visit: ReceiptVisit): Promise<VisitAnswer> {
  const { parts, em, ctx, requestId, view } = visit;
  await countVisit(em, visit, { action: 'download' });
  const type = 'application/pdf';
  if (ctx.method === 'HEAD') return { file: undefined, filename: receiptFilename(view), type };
  const { content, filename } = await makeReceiptPdf({ em, workflows: parts.workflows, requestId }, view);
  return { file: content, filename, type };
}
