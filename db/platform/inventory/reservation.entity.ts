import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { quantityColumn } from '../../support/columns.ts';
import { Stock } from './stock.entity.ts';
import { shopNow } from '../../support/shop-clock.ts';

export const reservationEvents = [
  'order_placed',
  'order_canceled',
  'order_place_failed',
  'shipment_created',
  'creditmemo_created',
  'invoice_created',
] as const;
export type ReservationEvent = (typeof reservationEvents)[number];

/**
 * Goods that are reserved but not moved yet: append-only, signed; a finished order's rows sum to zero (platform facts
 * 10).
 */
export const Reservation = defineEntity({
  name: 'Reservation',
  tableName: 'inventory_reservation',
  properties: {
    reservationId: p.bigint('number').primary().autoincrement(),
    stockId: () => p.manyToOne(Stock).mapToPk().fieldName('stock_id').deleteRule('restrict'),
    sku: p.string().length(64),
    quantity: quantityColumn(),
    eventType: p.enum(reservationEvents),
    orderId: p.integer().index(),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => shopNow()),
  },
  indexes: [{ properties: ['stockId', 'sku'] }],
});

export type Reservation = InferEntity<typeof Reservation>;
