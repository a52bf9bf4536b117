import type { Outcome } from '../../http/route.ts';

/** Texts of the routes of shipments. */

export const trackExample = {
  entity_id: 4,
  order_id: 42,
  parent_id: 9,
  track_number: 'Z9',
  title: 'Bike courier',
  carrier_code: 'custom',
  created_at: '2026-11-21 09:30:00',
  updated_at: '2026-11-21 09:30:00',
  description: null,
  weight: null,
  qty: null,
};

export const shipmentExample = {
  entity_id: 9,
  order_id: 42,
  store_id: 1,
  increment_id: '000000009',
  created_at: '2026-11-21 09:30:00',
  updated_at: '2026-11-21 09:30:00',
  total_qty: 1,
  billing_address_id: 51,
  items: [{ entity_id: 3, parent_id: 9, order_item_id: 3, product_id: 12, sku: 'MUG-WHITE', name: 'Mug', qty: 1 }],
  tracks: [trackExample],
  comments: [],
  extension_attributes: { source_code: 'high_street' },
};

export const unknownShipment: Outcome = {
  status: 404,
  message: "The entity that was requested doesn't exist. Verify the entity and try again.",
  when: 'The shipment, its order or the parcel is unknown.',
};
