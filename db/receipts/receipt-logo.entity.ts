import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** A logo that was uploaded: drawn anew by us, named after its bytes, which a setting of the shop names. */
export const ReceiptLogo = defineEntity({
  name: 'ReceiptLogo',
  tableName: 'pos_receipt_logo',
  properties: {
    digest: p.string().length(64).primary(),
    /** A PNG. */
    content: p.blob(),
    width: p.integer(),
    height: p.integer(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});

export type ReceiptLogo = InferEntity<typeof ReceiptLogo>;
