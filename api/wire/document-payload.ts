import { z } from 'zod';
import { refuseCardData } from './refuse-card-data.ts';
import { flag, idParam, payload, quantity, text } from './schemas.ts';

/** What callers send with every document of an order: goods, and something to say (platform facts 5.5, 6, 7.1). */

/** More lines than an order has. */
const maxItems = 1_000;
const maxComment = 65_535;

/** Goods by their order item; absent or empty means all that is left. */
export const documentItems = z
  .array(payload({ orderItemId: idParam, qty: quantity, extensionAttributes: z.unknown().optional() }))
  .max(maxItems)
  .default([]);

/** The comment of a document; whether the customer is told is said beside it. */
export const documentComment = payload({
  comment: text(maxComment).default(''),
  isVisibleOnFront: flag.default(false),
  extensionAttributes: z.unknown().optional(),
});

/** The same words in each document's request. */
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
