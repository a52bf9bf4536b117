import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { quantityColumn } from '../../support/columns.ts';
import { timestamps } from '../../support/shop-clock.ts';
import { Order } from '../orders/order.entity.ts';

/** Goods handed over or sent, and the source they left (platform facts 5.5, 10). */
export const Shipment = defineEntity({
  name: 'Shipment',
  tableName: 'sales_shipment',
  properties: {
    entityId: p.bigint('number').primary().autoincrement(),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').index().deleteRule('restrict'),
    incrementId: p.string().length(50),
    storeId: p.bigint('number'),
    sourceCode: p.string().length(64),
    totalQty: quantityColumn(),
    emailSent: p.integer().nullable(),
    /** A carrier's label as it was sent: base64 of a PDF or a picture. */
    shippingLabel: p.text().nullable(),
    tracks: () => p.oneToMany(ShipmentTrack).mappedBy('shipment'),
    items: () => p.oneToMany(ShipmentItem).mappedBy('shipment'),
    ...timestamps,
  },
  indexes: [{ properties: ['createdAt'] }, { properties: ['updatedAt'] }],
  uniques: [{ name: 'sales_shipment_increment_id_once_per_store', properties: ['incrementId', 'storeId'] }],
});
export type Shipment = InferEntity<typeof Shipment>;

export const ShipmentItem = defineEntity({
  name: 'ShipmentItem',
  tableName: 'sales_shipment_item',
  properties: {
    entityId: p.bigint('number').primary().autoincrement(),
    shipment: () => p.manyToOne(Shipment).fieldName('parent_id').index().deleteRule('cascade'),
    orderItemId: p.bigint('number').index(),
    productId: p.bigint('number').nullable(),
    sku: p.string().length(255),
    name: p.string().length(255).nullable(),
    qty: quantityColumn(),
  },
});
export type ShipmentItem = InferEntity<typeof ShipmentItem>;

/** A parcel of a shipment, with its carrier and number (platform facts 5.5). */
export const ShipmentTrack = defineEntity({
  name: 'ShipmentTrack',
  tableName: 'sales_shipment_track',
  properties: {
    entityId: p.bigint('number').primary().autoincrement(),
    shipment: () => p.manyToOne(Shipment).fieldName('parent_id').index().deleteRule('cascade'),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').index().deleteRule('restrict'),
    trackNumber: p.text(),
    title: p.string().length(255),
    carrierCode: p.string().length(255),
    description: p.text().nullable(),
    weight: quantityColumn().nullable(),
    qty: quantityColumn().nullable(),
    ...timestamps,
  },
});
export type ShipmentTrack = InferEntity<typeof ShipmentTrack>;
