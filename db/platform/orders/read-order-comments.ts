import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import { noSuchOrder } from '../../../domain/refusals/platform.ts';
import { flag, integer, json, definite, text } from '../../support/entity-columns.ts';
import { of } from '../../support/rows.ts';
import type { SheetRow } from '../../support/sheet-row.ts';
import { statement } from '../../support/statement.ts';
import type { DocumentRemark } from './add-order-comment.ts';
import { OrderPayment, type commentedDocuments } from './order-parts.entity.ts';

/** How an order is paid. Refused with: 404 unknown order · 400 the id 0. */
export async function methodOfOrder(em: EntityManager, orderId: number): Promise<string> {
  const payment = await readMethodOfOrder.first(em, { orderId });
  if (!payment) throw noSuchOrder(orderId);
  return payment.method;
}

const readMethodOfOrder = statement({
  takes: { orderId: integer },
  gives: of(OrderPayment, 'method'),
  text: 'select method from sales_order_payment where order_id = $orderId',
});

export interface OrderStatusRow {
  status: string;
  label: string;
  /** The states that may show it, by name; empty for a merchant's own status without a state. */
  states: string[];
  /** Whether one of its states starts with it. */
  is_default: boolean;
}

/** Every registered status by label, also the merchant's own (platform facts 5.3). */
export const readOrderStatuses = (em: EntityManager): Promise<OrderStatusRow[]> => selectOrderStatuses.all(em);

const selectOrderStatuses = statement({
  takes: {},
  gives: { status: text, label: text, states: definite(json<string[]>()), is_default: definite(flag) },
  text: `
    select s.status, s.label,
      coalesce(jsonb_agg(t.state order by t.state) filter (where t.state is not null), '[]') as states,
      coalesce(bool_or(t.is_default), false) as is_default
    from sales_order_status s left join sales_order_status_state t using (status)
    group by s.status, s.label order by s.label, s.status`,
});

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
