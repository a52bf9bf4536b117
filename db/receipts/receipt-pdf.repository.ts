import type { EntityManager } from '@mikro-orm/postgresql';
import { bytes, integer, text } from '../support/entity-columns.ts';
import { statement } from '../support/statement.ts';

/** The PDF made from exactly this document; undefined when there is none or its data has changed. */
export const findReceiptPdf = async (
  em: EntityManager,
  requested: { receiptId: number; digest: string },
): Promise<Buffer | undefined> => (await selectReceiptPdf.first(em, requested))?.content;

const selectReceiptPdf = statement({
  takes: { receiptId: integer, digest: text },
  gives: { content: bytes },
  text: 'select content from pos_receipt_pdf where receipt_id = $receiptId and digest = $digest',
});

/** Keeps a receipt's PDF in place of an older one. Safe to repeat. */
export const keepReceiptPdf = (em: EntityManager, made: { receiptId: number; digest: string; content: Buffer }) =>
  keep.run(em, made);

const keep = statement({
  takes: { receiptId: integer, digest: text, content: bytes },
  text: `insert into pos_receipt_pdf (receipt_id, digest, content) values ($receiptId, $digest, $content)
    on conflict (receipt_id) do update set digest = excluded.digest, content = excluded.content, made_at = now()`,
});
