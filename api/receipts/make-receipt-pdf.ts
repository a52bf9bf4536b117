import type { EntityManager } from '@mikro-orm/postgresql';
import { findReceiptPdf } from '../../db/receipts/receipt-pdf.repository.ts';
import { unavailable } from '../../domain/errors.ts';
import { answerWithinMs } from '../../domain/patience.ts';
import type { PdfOutcome } from '../../domain/receipts/pdf-outcome.ts';
import type { ReceiptView } from '../../domain/receipts/receipt-view.ts';
import { receiptDigest } from '../../providers/receipts/receipt-digest.ts';
import { receiptFilename } from '../../providers/receipts/receipt-filename.ts';
import { pdfUpdate, receiptPdfWorkflowId, type ReceiptPdfInput } from '../../workflows/receipts/messages.ts';
import type { Workflows } from '../../providers/temporal/workflows.ts';

export interface MadePdf {
  content: Buffer;
  filename: string;
}

/**
 * The PDF of a receipt's present content: the existing one, otherwise one that the worker makes meanwhile. A repeat
 * finds it made.
 *
 * Refused with: 503 where no worker has a browser, or the receipt is too large for a PDF, or it is not made in time.
 */
export async function makeReceiptPdf(
  { em, workflows, requestId }: { em: EntityManager; workflows: Workflows; requestId: string },
  view: ReceiptView,
): Promise<MadePdf> {
  const { receiptId } = view;
  const wanted = { receiptId, digest: receiptDigest(view) };
  const filename = receiptFilename(view);
  const kept = await findReceiptPdf(em, wanted);
  if (kept) return { content: kept, filename };
  const outcome = await workflows.ask<PdfOutcome, object, ReceiptPdfInput>({
    update: pdfUpdate,
    workflow: 'receiptPdfWorkflow',
    id: receiptPdfWorkflowId(receiptId),
    input: { receiptId },
    request: {},
    operationKey: requestId,
    summary: `PDF of receipt ${receiptId}`,
    patienceMs: answerWithinMs,
  });
  const made = outcome === 'made' ? await findReceiptPdf(em, wanted) : undefined;
  if (!made) throw unavailable(outcome === 'made' ? changed : sentences[outcome]);
  return { content: made, filename };
}

const changed = 'The receipt has just changed; ask for its PDF again.';
const sentences: Readonly<Record<Exclude<PdfOutcome, 'made'>, string>> = {
  no_browser: 'This shop makes no PDFs at the moment; the receipt itself is on its page.',
  too_much: 'This receipt is too large for a PDF; all of it is on its page.',
};
