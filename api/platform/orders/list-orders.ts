import { searchOrders } from '../../../db/platform/orders/read-orders.ts';
import { listRoute } from '../../http/list-route.ts';
import { orderAnswer } from './order-answer.ts';
import { renderOrder } from './render-order.ts';

/** Orders by any column of theirs, layaways by `pos_layaway_status` among them (platform facts 3.2, 12.4). */
export const listOrders = listRoute({
  path: '/V1/orders',
  acl: 'Platform_Sales::actions_view',
  summary: 'Orders',
  answer: orderAnswer,
  find: searchOrders,
  render: renderOrder,
});
