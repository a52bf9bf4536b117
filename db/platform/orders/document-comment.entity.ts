import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { shopNow } from '../../support/shop-clock.ts';

export const commentedDocuments = ['invoice', 'creditmemo', 'shipment'] as const;

/** A comment on an invoice, credit memo or shipment. */
export const DocumentComment = defineEntity({
  name: 'DocumentComment',
  tableName: 'sales_document_comment',
  properties: {
    entityId: p.integer().primary().autoincrement(),
    document: p.enum(commentedDocuments),
    parentId: p.integer(),
    comment: p.text(),
    isCustomerNotified: p.integer().default(0),
    isVisibleOnFront: p.integer().default(0),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => shopNow()),
  },
  indexes: [{ properties: ['document', 'parentId'] }],
});

export type DocumentComment = InferEntity<typeof DocumentComment>;
