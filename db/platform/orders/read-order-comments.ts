import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import { noSuchOrder } from '../../../domain/refusals/platform.ts';
import { integer, json, text } from '../../support/entity-columns.ts';
import type { SheetRow } from '../../support/sheet-row.ts';
import { sql } from '../../support/sql.ts';
import { statement } from '../../support/statement.ts';
import { type commentedDocuments } from './order-parts.entity.ts';
import type { DocumentRemark } from './document-remark.ts';

/** How an order is paid. Refused with: 404 unknown order · 400 the id 0. */
export async function methodOfOrder(em: EntityManager, orderId: number): Promise<string> {
  const payment = await readMethodOfOrder.first(em, { orderId });
  if (!payment) throw noSuchOrder(orderId);
  return payment.method;
}

const readMethodOfOrder = sql('read-order-comments.readMethodOfOrder')`
  select method from sales_order_payment where order_id = $orderId`;

type CommentedDocument = (typeof commentedDocuments)[number];

/**
 * Adds a comment to an invoice, a credit memo or a shipment (platform facts 5.5, 6, 7.5). A repeat adds another one.
 *
 * Refused with: 404 unknown document.
 */
export async function commentDocument(
  em: EntityManager,
  input: DocumentRemark & { document: CommentedDocument; parentId: number },
): Promise<SheetRow> {
  const { document, parentId, comment } = input;
  const row = await insertTo[document].first(em, {
    parentId,
    comment,
    isCustomerNotified: input.isCustomerNotified ? 1 : 0,
    isVisibleOnFront: input.isVisibleOnFront ? 1 : 0,
  });
  if (!row) throw noSuchDocument();
  return row.line;
}

const commentOn = (document: CommentedDocument) =>
  statement({
    takes: { parentId: integer, comment: text, isCustomerNotified: integer, isVisibleOnFront: integer },
    gives: { line: json<SheetRow>() },
    text: `
      with line as (
        insert into sales_document_comment
          (document, parent_id, comment, is_customer_notified, is_visible_on_front, created_at)
        select '${document}', d.entity_id, $comment, $isCustomerNotified, $isVisibleOnFront, now()
        from sales_${document} d where d.entity_id = $parentId
        returning *)
      select to_json(line) as line from line`,
  });

const insertTo = {
  invoice: commentOn('invoice'),
  creditmemo: commentOn('creditmemo'),
  shipment: commentOn('shipment'),
} as const satisfies Record<CommentedDocument, unknown>;
