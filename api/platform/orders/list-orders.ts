import { z } from 'zod';
import { searchOrders } from '../../../db/platform/orders/read-orders.ts';
import { route } from '../../support/route.ts';
import { listAnswer } from '../../support/schemas.ts';
import { renderList, searchCriteria } from '../../support/search-criteria.ts';
import { orderAnswer } from './order-answer.ts';
import { renderOrder } from './render-order.ts';

/** Orders by any column of theirs, layaways by `pos_layaway_status` among them (platform facts 3.2, 12.4). */
export const listOrders = route({
  method: 'GET',
  path: '/V1/orders',
  acl: 'Platform_Sales::actions_view',
  summary: 'Orders',
  query: z.object({ searchCriteria }),
  response: listAnswer(orderAnswer),

  async handle({ em, query }) {
    const { rows, totalCount } = await searchOrders(em, query.searchCriteria);
    return renderList(query.searchCriteria, rows.map(renderOrder), totalCount);
  },
});
