import type { DocumentSheet } from '../../../db/platform/orders/document-reader.ts';
import { renderRow } from '../../wire/render-row.ts';
import { renderDocumentComment } from '../../wire/document-comment.ts';
import { shipmentColumns, shipmentItemColumns, shipmentOrderColumns } from './shipment-answer.ts';

/** A shipment in answers, with the source of its goods (platform facts 5.5, 10). */
export const renderShipment = ({ document, items, comments, order }: DocumentSheet): Record<string, unknown> => ({
  ...renderRow(document, shipmentColumns),
  ...renderRow(order, shipmentOrderColumns),
  items: items.map((item) => renderRow(item, shipmentItemColumns)),
  tracks: renderTracks(document),
  comments: comments.map(renderDocumentComment),
  extension_attributes: { source_code: document['source_code'] },
});

const renderTracks = ({ tracks, order_id, entity_id }: DocumentSheet['document']) =>
  Array.isArray(tracks) ? tracks.map((track: object) => ({ order_id, parent_id: entity_id, ...track })) : [];
