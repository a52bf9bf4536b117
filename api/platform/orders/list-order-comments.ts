import { z } from 'zod';
import { readOrderComments } from '../../../db/platform/orders/read-order-comments.ts';
import { route } from '../../http/route.ts';
import { idParam, listAnswer } from '../../wire/schemas.ts';
import { ofParent } from '../../wire/of-parent.ts';
import { orderCommentAnswer } from './order-answer.ts';
import { renderOrderComment } from './render-order.ts';

/** The history of an order, newest first; empty for an unknown order (platform facts 3.5, 5.4). */
export const listOrderComments = route({
  method: 'GET',
  path: '/V1/orders/:id/comments',
  acl: 'Platform_Sales::actions_view',
  summary: 'History of an order',
  name: 'listOrderComments',
  description: 'Newest first. It is empty for an unknown order.',
  outcomes: [],
  params: z.object({ id: idParam }),
  response: listAnswer(orderCommentAnswer),

  async handle({ em, params: { id } }) {
    const rows = await readOrderComments(em, id);
    return ofParent(id, rows.map(renderOrderComment));
  },
});
