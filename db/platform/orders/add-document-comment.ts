import type { EntityManager } from '@mikro-orm/postgresql';
import { DocumentComment, type commentedDocuments } from './document-comment.entity.ts';

/** What a caller has to say about a document. */
export interface DocumentRemark {
  comment: string;
  isCustomerNotified?: boolean;
  isVisibleOnFront?: boolean;
}

/** Adds a comment to an invoice, a credit memo or a shipment, in the caller's transaction. A repeat adds another. */
export const addDocumentComment = (
  em: EntityManager,
  given: DocumentRemark & { document: (typeof commentedDocuments)[number]; parentId: number },
): DocumentComment =>
  em.create(DocumentComment, {
    document: given.document,
    parentId: given.parentId,
    comment: given.comment,
    isCustomerNotified: given.isCustomerNotified ? 1 : 0,
    isVisibleOnFront: given.isVisibleOnFront ? 1 : 0,
  });
