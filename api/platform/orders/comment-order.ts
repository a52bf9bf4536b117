import { z } from 'zod';
import { commentOrder } from '../../../db/platform/orders/comment-order.ts';
import { refuseCardData } from '../../../domain/refuse-card-data.ts';
import { route } from '../../http/route.ts';
import { flag, growing, idParam, text } from '../../wire/schemas.ts';
import { unknownOrder, idIsZero, cardNumber } from '../../wire/outcomes.ts';

/** The longest comment. */
const maxComment = 65_535;

const statusHistory = growing({
  comment: text(maxComment).default(''),
  status: text(32).optional(),
  isCustomerNotified: flag.default(false),
  isVisibleOnFront: flag.default(false),
});

/** Adds a line to an order's history (platform facts 5.4). */
export const commentOrderRoute = route({
  method: 'POST',
  path: '/V1/orders/:id/comments',
  acl: 'Platform_Sales::comment',
  summary: 'Comment on an order',
  name: 'commentOrder',
  description: `A \`status\` that belongs to the order’s state becomes the order’s own; another one is ignored. A
    repeat adds another line, unless it has the same \`Idempotency-Key\`.`,
  outcomes: [unknownOrder, idIsZero, cardNumber],
  params: z.object({ id: idParam }),
  body: z.object({ statusHistory }),
  response: z.literal(true),

  async handle({ em, params: { id }, body }) {
    refuseCardData(body.statusHistory.comment);
    await commentOrder(em, { orderId: id, ...body.statusHistory });
    return true as const;
  },
});
