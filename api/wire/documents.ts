import { z } from 'zod';
import type { SheetRow } from '../../db/support/sheet-row.ts';
import { refuseCardData } from '../../domain/card-data.ts';
import { zero } from '../../domain/money.ts';
import { eachOf, rowsOf } from './rows.ts';
import { renderRow } from './outcomes.ts';
import { flag, growing, idParam, money, payload, quantity, text } from './schemas.ts';

/** Comments of an invoice, a shipment or a credit memo in answers (platform facts 5.5, 6, 7.5). */
const shape: Record<string, z.ZodType> = {
  ...eachOf(['entity_id', 'parent_id', 'is_customer_notified', 'is_visible_on_front'], z.int()),
  ...eachOf(['comment', 'created_at'], z.string()),
};

const columns = Object.keys(shape);

export const documentCommentAnswer = z.strictObject(shape).meta({ id: 'DocumentComment' });

export const renderDocumentComment = (comment: SheetRow): Record<string, unknown> => renderRow(comment, columns);

/** The request parts that all documents of an order share: goods and a comment (platform facts 5.5, 6, 7.1). */

/** More lines than an order has. */
const maxItems = 1_000;

const maxComment = 65_535;

const goods = { orderItemId: idParam, qty: quantity, extensionAttributes: z.unknown().optional() };

/** Goods by order item; absent or empty means everything that is left. */
export const documentItems = rowsOf(payload(goods), maxItems).default([]);

/** The same of a document that is saved whole: a line that was read is sent back with all it has. */
export const savedItems = rowsOf(growing(goods), maxItems).default([]);

/** The comment of a document; a separate argument says whether the customer is notified. */
export const documentComment = payload({
  comment: text(maxComment).default(''),
  isVisibleOnFront: flag.default(false),
  extensionAttributes: z.unknown().optional(),
});

/** The same argument names in each document's request. */
export const documentArguments = {
  items: documentItems,
  notify: flag.default(false),
  appendComment: flag.default(false),
  comment: documentComment.optional(),
};

/** The comment to store; undefined when none was sent. Refused with 400: card data in it (our choice). */
export function remarkOf({
  comment,
  notify,
  appendComment,
}: {
  comment?: z.output<typeof documentComment> | undefined;
  notify: boolean;
  appendComment: boolean;
}) {
  if (!comment) return undefined;
  refuseCardData(comment.comment);
  return {
    comment: comment.comment,
    isVisibleOnFront: comment.isVisibleOnFront,
    isCustomerNotified: notify && appendComment,
  };
}

/**
 * The three adjustments of a refund (spec 4.8, platform facts 7.1), all ex tax. The point of sale uses the order's
 * currency, the platform's own refunds the base currency. In an order with one currency they look the same, so every
 * schema states its currency.
 */
const adjustmentsIn = (currency: string) => ({
  adjustmentPositive: money.default(zero).meta({ description: `Goodwill that is added, ex tax, in ${currency}` }),
  adjustmentNegative: money.default(zero).meta({ description: `A fee that is taken off, ex tax, in ${currency}` }),
  shippingAmount: money.optional().meta({ description: `Shipping that comes back, ex tax, in ${currency}` }),
});

/** For a settle and a preview. */
export const adjustmentsInOrderCurrency = adjustmentsIn("the order's currency");

/** For the platform's refunds of an order and of an invoice. */
export const adjustmentsInBaseCurrency = adjustmentsIn('the base currency');
