import type { EntityManager } from '@mikro-orm/postgresql';
import { insertRows, into, type Written } from '../../support/write-rows.ts';
import { DocumentComment, type commentedDocuments } from './document-comment.entity.ts';
import { shopNow } from '../../support/shop-clock.ts';

/** A caller's comment on a document. */
export interface DocumentRemark {
  comment: string;
  isCustomerNotified?: boolean;
  isVisibleOnFront?: boolean;
}

export interface NewDocumentComment extends DocumentRemark {
  document: (typeof commentedDocuments)[number];
  parentId: number;
}

/** Adds a comment to an invoice, a credit memo or a shipment, in the caller's transaction. A repeat adds another. */
export const addDocumentComment = (em: EntityManager, comment: NewDocumentComment): Promise<void> =>
  insertRows(em, [documentComments([comment])]);

/** Comments on documents, for a statement that also writes other rows. */
export const documentComments = (comments: readonly NewDocumentComment[]): Written =>
  into(
    DocumentComment,
    comments.map((given) => ({
      document: given.document,
      parentId: given.parentId,
      comment: given.comment,
      isCustomerNotified: given.isCustomerNotified ? 1 : 0,
      isVisibleOnFront: given.isVisibleOnFront ? 1 : 0,
      createdAt: shopNow(),
    })),
  );
