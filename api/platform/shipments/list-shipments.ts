import { searchShipments } from '../../../db/platform/shipments/read-shipments.ts';
import { listRoute } from '../../http/list-route.ts';
import { renderShipment } from './render-shipment.ts';
import { shipmentAnswer } from './shipment-answer.ts';

/** Shipments by any column of theirs, such as `order_id` (platform facts 5.5). */
export const listShipments = listRoute({
  path: '/V1/shipments',
  acl: 'Platform_Sales::shipment',
  summary: 'Shipments',
  answer: shipmentAnswer,
  find: searchShipments,
  render: renderShipment,
});
