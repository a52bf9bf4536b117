import { searchOrderItems } from '../../../db/platform/orders/read-order-items.ts';
import { listRoute } from '../../http/list-route.ts';
import { itemAnswer } from './order-answer.ts';
import { renderOrderItem } from './render-order.ts';

/** Lines of orders by any column of theirs, such as `order_id` and `sku` (platform facts 5.2). */
export const listOrderItems = listRoute({
  path: '/V1/orders/items',
  acl: 'Platform_Sales::actions_view',
  summary: 'Lines of orders',
  answer: itemAnswer,
  find: searchOrderItems,
  render: ({ item }) => renderOrderItem(item),
});
