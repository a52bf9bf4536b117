import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { optionalIntegers, optionalTexts, quantityColumn, textIndex } from '../../support/columns.ts';
import { shopNow } from '../../support/shop-clock.ts';

/** A carrier that serves a source of its own. */
export interface CarrierLink {
  carrierCode: string;
  position: number;
}

/** A source of stock: a shop floor, a warehouse, a shelf of damaged goods (platform facts 10). */
export const Source = defineEntity({
  name: 'Source',
  tableName: 'inventory_source',
  properties: {
    sourceCode: p.string().length(64).primary(),
    name: p.string().length(255),
    isEnabled: p.boolean().default(true),
    countryId: p.string().length(2),
    regionId: p.bigint('number').nullable(),
    ...optionalTexts('region', 'city', 'street', 'postcode', 'phone', 'email', 'contactName'),
    ...optionalTexts('fax'),
    description: p.text().nullable(),
    ...optionalIntegers('latitudeMicrodegrees', 'longitudeMicrodegrees'),
    useDefaultCarrierConfig: p.boolean().default(true),
    carrierLinks: p.json<CarrierLink[]>().defaultRaw(`'[]'::jsonb`),
    /** Whether customers may fetch goods here, and what they then read of it; without a name, the source's own. */
    isPickupLocationActive: p.boolean().default(false),
    ...optionalTexts('frontendName'),
    frontendDescription: p.text().nullable(),
  },
});

export type Source = InferEntity<typeof Source>;

/** The stock that websites sell from: its sources by priority, and websites as sales channels (platform facts 10). */
export const Stock = defineEntity({
  name: 'Stock',
  tableName: 'inventory_stock',
  properties: {
    stockId: p.bigint('number').primary().autoincrement(),
    name: p.string().length(255),
    /** Codes of the websites that sell from this stock. */
    websiteCodes: p.json<string[]>().defaultRaw(`'[]'::jsonb`),
  },
});
export type Stock = InferEntity<typeof Stock>;

export const StockSourceLink = defineEntity({
  name: 'StockSourceLink',
  tableName: 'inventory_stock_source',
  properties: {
    linkId: p.bigint('number').primary().autoincrement(),
    stockId: () => p.manyToOne(Stock).mapToPk().fieldName('stock_id').index().deleteRule('cascade'),
    sourceCode: () => p.manyToOne(Source).mapToPk().fieldName('source_code').index().deleteRule('cascade'),
    priority: p.integer().default(1),
  },
  uniques: [{ name: 'inventory_stock_source_once', properties: ['stockId', 'sourceCode'] }],
});
export type StockSourceLink = InferEntity<typeof StockSourceLink>;

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
    orderId: p.bigint('number').index(),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => shopNow()),
  },
  indexes: [{ properties: ['stockId', 'sku'] }],
});

export type Reservation = InferEntity<typeof Reservation>;

/** The quantity of a product at a source (platform facts 10). Locked in the order of sku, then source. */
export const SourceItem = defineEntity({
  name: 'SourceItem',
  tableName: 'inventory_source_item',
  properties: {
    sourceItemId: p.bigint('number').primary().autoincrement(),
    sku: p.string().length(64),
    sourceCode: () => p.manyToOne(Source).mapToPk().fieldName('source_code').deleteRule('cascade'),
    quantity: quantityColumn(),
    /** 1 in stock, 0 out of stock. */
    status: p.integer().default(1),
  },
  indexes: [
    textIndex('inventory_source_item', 'sku'),
    { properties: ['status'] },
    /** For the list of low stock, the lowest first. */
    { properties: ['sourceCode', 'quantity'] },
  ],
  uniques: [{ name: 'inventory_source_item_once', properties: ['sku', 'sourceCode'] }],
  checks: [{ name: 'inventory_source_item_not_negative', expression: `quantity >= 0 and quantity <> 'NaN'` }],
});

export type SourceItem = InferEntity<typeof SourceItem>;
