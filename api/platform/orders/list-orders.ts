import { searchOrders } from '../../../db/platform/orders/read-orders.ts';
import { listRoute } from '../../http/list-route.ts';
import { orderAnswer } from './order-answer.ts';
import { renderOrder } from './render-order.ts';
import { unknownField } from '../../wire/search-criteria.ts';

/** Searches orders by any column, layaways also by `pos_layaway_status` (platform facts 3.2, 12.4). */
export const listOrders = listRoute({
  path: '/V1/orders',
  acl: 'Platform_Sales::actions_view',
  summary: 'Orders',
  name: 'listOrders',
  description: `By every column of an order, \`pos_layaway_status\` among them. The most that one answer has is
    10,000. \`searchCriteria\` is required: send \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  answer: orderAnswer,
  find: searchOrders,
  render: renderOrder,
});
