import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Receipt } from './receipt.entity.ts';

/**
 * A receipt's PDF, kept between the process that makes it and the one that hands it out: it never travels through the
 * workflows. Made anew when what it shows has changed, removed when nobody asked for it in a while.
 */
export const ReceiptPdf = defineEntity({
  name: 'ReceiptPdf',
  tableName: 'pos_receipt_pdf',
  properties: {
    receiptId: () => p.manyToOne(Receipt).mapToPk().fieldName('receipt_id').primary().deleteRule('cascade'),
    /** Of the document that it was made of. */
    digest: p.string().length(64),
    content: p.blob(),
    madeAt: p.datetime(6).defaultRaw('now()').index(),
  },
});

export type ReceiptPdf = InferEntity<typeof ReceiptPdf>;
