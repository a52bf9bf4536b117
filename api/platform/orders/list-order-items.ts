import { searchOrderItems } from '../../../db/platform/orders/read-order-items.ts';
import { listRoute } from '../../http/list-route.ts';
import { itemAnswer } from './order-answer.ts';
import { renderOrderItem } from './render-order.ts';
import { unknownField } from '../../wire/search-criteria.ts';

/** Searches order lines by any column, such as `order_id` and `sku` (platform facts 5.2). */
export const listOrderItems = listRoute({
  path: '/V1/orders/items',
  acl: 'Platform_Sales::actions_view',
  summary: 'Lines of orders',
  name: 'listOrderItems',
  description: `By every column of a line, such as \`order_id\` and \`sku\`. \`searchCriteria\` is required: send
    \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  answer: itemAnswer,
  find: searchOrderItems,
  render: ({ item }) => renderOrderItem(item),
});
