import { z } from 'zod';
import { rowsOf } from './one-or-more.ts';
import { refuseCardData } from '../../domain/refuse-card-data.ts';
import { flag, growing, idParam, payload, quantity, text } from './schemas.ts';

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
