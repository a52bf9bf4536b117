import { z } from 'zod';
import { readOrderComments } from '../../../db/platform/orders/read-order-comments.ts';
import { route } from '../../support/route.ts';
import { idParam, listAnswer } from '../../support/schemas.ts';
import { orderCommentAnswer } from './order-answer.ts';
import { renderOrderComment } from './render-order.ts';

/** The history of an order, newest first; empty for an order nobody knows (platform facts 3.5, 5.4). */
export const listOrderComments = route({
  method: 'GET',
  path: '/V1/orders/:id/comments',
  acl: 'Platform_Sales::actions_view',
  summary: 'History of an order',
  params: z.object({ id: idParam }),
  response: listAnswer(orderCommentAnswer),

  async handle({ em, params: { id } }) {
    const rows = await readOrderComments(em, id);
    return {
      items: rows.map(renderOrderComment),
      search_criteria: ofParent(id),
      total_count: rows.length,
    };
  },
});

/** The platform answers what it searched by. */
const ofParent = (id: number) => ({
  filter_groups: [{ filters: [{ field: 'parent_id', value: String(id), condition_type: 'eq' }] }],
});
