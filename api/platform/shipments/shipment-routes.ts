import type { MailDocument } from '../../http/mail-document-route.ts';
import type { AnyRoute } from '../../http/route.ts';
import { createShipmentRoute } from './create-shipment.ts';
import { getShipmentLabel } from './get-shipment-label.ts';
import { getShipment } from './get-shipment.ts';
import { listShipments } from './list-shipments.ts';
import { saveShipmentRoute } from './save-shipment.ts';
import { commentShipment, listShipmentComments } from './shipment-comments.ts';
import { deleteTrackRoute, saveTrackRoute } from './shipment-tracks.ts';

/** Every route of shipments, except their mail. */
export const shipmentRoutes = (mailDocument: MailDocument): readonly AnyRoute[] => [
  createShipmentRoute(mailDocument),
  saveShipmentRoute,
  listShipments,
  getShipment,
  getShipmentLabel,
  listShipmentComments,
  commentShipment,
  saveTrackRoute,
  deleteTrackRoute,
];
