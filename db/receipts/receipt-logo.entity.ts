import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** An uploaded logo, drawn again by us. Its name is the digest of its bytes; a setting of the shop holds that name. */
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
