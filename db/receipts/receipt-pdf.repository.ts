import type { EntityManager } from '@mikro-orm/postgresql';
import { bytes } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';

/** The PDF made from exactly this document; undefined when there is none or its data has changed. */
export const findReceiptPdf = async (
  em: EntityManager,
  requested: { receiptId: number; digest: string },
): Promise<Buffer | undefined> => (await selectReceiptPdf.first(em, requested))?.content;

const selectReceiptPdf = sql('receipt-pdf.repository.selectReceiptPdf', { gives: { content: bytes } })`
  select content from pos_receipt_pdf where receipt_id = $receiptId and digest = $digest`;

/** Keeps a receipt's PDF in place of an older one. Safe to repeat. */
export const keepReceiptPdf = (em: EntityManager, made: { receiptId: number; digest: string; content: Buffer }) =>
  keep.run(em, made);

const keep = sql('receipt-pdf.repository.keep')`
  insert into pos_receipt_pdf (receipt_id, digest, content) values ($receiptId, $digest, $content)
  on conflict (receipt_id) do update set digest = excluded.digest, content = excluded.content, made_at = now()`;
