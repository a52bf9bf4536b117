import { searchShipments } from '../../../db/platform/shipments/read-shipments.ts';
import { listRoute } from '../../http/list-route.ts';
import { renderShipment } from './render-shipment.ts';
import { shipmentAnswer } from './shipment-answer.ts';
import { unknownField } from '../../wire/search-criteria.ts';

/** Searches shipments by any column, such as `order_id` (platform facts 5.5). */
export const listShipments = listRoute({
  path: '/V1/shipments',
  acl: 'Platform_Sales::shipment',
  summary: 'Shipments',
  name: 'listShipments',
  description: `By every column of a shipment, such as \`order_id\`. \`searchCriteria\` is required: send
    \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  answer: shipmentAnswer,
  find: searchShipments,
  render: renderShipment,
});
