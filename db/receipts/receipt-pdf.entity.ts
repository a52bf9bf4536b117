import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Receipt } from './receipt.entity.ts';

/**
 * A receipt's PDF. The worker stores it here and the API sends it, so the PDF never travels through a workflow. It is
 * made again when the receipt's data changes, and removed when it was not requested for a while.
 */
export const ReceiptPdf = defineEntity({
  name: 'ReceiptPdf',
  tableName: 'pos_receipt_pdf',
  properties: {
    receiptId: () => p.manyToOne(Receipt).mapToPk().fieldName('receipt_id').primary().deleteRule('cascade'),
    /** The digest of the document that the PDF shows. */
    digest: p.string().length(64),
    content: p.blob(),
    madeAt: p.datetime(6).defaultRaw('now()').index(),
  },
});

export type ReceiptPdf = InferEntity<typeof ReceiptPdf>;
