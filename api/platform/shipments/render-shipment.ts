import type { DocumentSheet } from '../../../db/platform/orders/document-reader.ts';
import type { SheetRow } from '../../../db/platform/orders/sheet-row.ts';
import { renderRow } from '../../wire/render-row.ts';
import { renderDocumentComment } from '../../wire/document-comment.ts';
import { shipmentColumns, shipmentItemColumns, shipmentOrderColumns, trackColumns } from './shipment-answer.ts';

/** A shipment in answers, with the source of its goods (platform facts 5.5, 10). */
export const renderShipment = ({ document, items, comments, order }: DocumentSheet): Record<string, unknown> => ({
  ...renderRow(document, shipmentColumns),
  ...renderRow(order, shipmentOrderColumns),
  items: items.map((item) => renderRow(item, shipmentItemColumns)),
  tracks: renderTracks(document),
  comments: comments.map(renderDocumentComment),
  extension_attributes: { source_code: document['source_code'] },
});

const renderTracks = ({ tracks }: DocumentSheet['document']) =>
  Array.isArray(tracks) ? tracks.map((track: SheetRow) => renderTrack(track)) : [];

/** A parcel as answers have it. What its caller left out is null: the platform always says these (platform facts 14). */
export const renderTrack = (track: SheetRow): Record<string, unknown> => ({
  ...renderRow(track, trackColumns),
  description: track['description'],
  weight: track['weight'],
  qty: track['qty'],
});
