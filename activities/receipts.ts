import type { MikroORM } from '@mikro-orm/postgresql';
import { readReceiptView } from '../db/receipts/read-receipt-view.ts';
import { findReceiptLogo } from '../db/receipts/receipt-logo.repository.ts';
import { findReceiptPdf, keepReceiptPdf } from '../db/receipts/receipt-pdf.repository.ts';
import type { SecretBox } from '../db/support/secret-box.ts';
import type { PdfOutcome, ReceiptView } from '../domain/receipts/receipt-view.ts';
import { TooMuch, type Printer } from '../providers/documents/print-in.ts';
import type { Log } from '../providers/log.ts';
import { paperOf } from '../providers/receipts/paper-of.ts';
import { receiptDigest, renderReceiptDocument } from '../providers/receipts/render-receipt.ts';
import { whileAlive } from './support.ts';

/** The dependencies of the PDF queue. */
export interface PdfDependencies {
  orm: MikroORM;
  printer: Printer;
  box: SecretBox;
  publicBaseUrl: string | undefined;
  log: Pick<Log, 'info' | 'warn'>;
}

export type ReceiptActivities = ReturnType<typeof createReceiptActivities>;

export const createReceiptActivities = ({ orm, printer, box, publicBaseUrl, log }: PdfDependencies) => {
  const make = async (receiptId: number): Promise<PdfOutcome> => {
    const em = orm.em.fork();
    const view = await readReceiptView(em, { receiptId }, { box, publicBaseUrl });
    const digest = receiptDigest(view);
    if (await findReceiptPdf(em, { receiptId, digest })) return 'made';
    const missing = await printer.missing();
    if (missing !== null) return 'no_browser';
    const content = await printed(view).catch((error: unknown) => {
      if (!(error instanceof TooMuch)) throw error;
      log.warn({ 'receipt.id': receiptId, reason: error.message }, 'the PDF of a receipt could not be made');
      return undefined;
    });
    if (content === undefined) return 'too_much';
    await keepReceiptPdf(em, { receiptId, digest, content });
    return 'made';

    async function printed(shown: ReceiptView): Promise<Buffer> {
      const logo = shown.shop.logo === null ? undefined : await findReceiptLogo(em, shown.shop.logo.digest);
      const picture = logo ? `data:image/png;base64,${logo.toString('base64')}` : null;
      return printer.print(renderReceiptDocument(shown, { logo: picture, log }), paperOf(shown.locale));
    }
  };

  return {
    /**
     * Makes and keeps a receipt's PDF, unless a PDF of the present content exists.
     *
     * Safe to repeat and to run concurrently: the same document is kept once. The PDF stays in the database.
     */
    makeReceiptPdf: ({ receiptId }: { receiptId: number }): Promise<PdfOutcome> => whileAlive(() => make(receiptId)),
  };
};
