/** What the systems around the shop are told (`docs/inside/events.md`). Each name is an object and what became true of it. */
export const eventTypes = [
  'order.placed',
  'order.paid',
  'order.refunded',
  'order.cancelled',
  'return.created',
  'return.received',
  'return.settled',
  'return.closed',
  'return.refused',
  'refund.uncertain',
  'refund.decided',
  'layaway.opened',
  'layaway.paid',
  'layaway.stale',
  'layaway.cancelled',
  'layaway.settled',
  'credit.changed',
  'receipt.synced',
  'receipt.claimed',
  'stock.moved',
  'customer.changed',
  'terminal.activated',
  'terminal.revoked',
  'product.changed',
  'content.published',
  'endpoint.paused',
] as const;
export type EventType = (typeof eventTypes)[number];

/** The kinds of objects that events tell of. Events of one object reach an endpoint in their order. */
export const objectKinds = [
  'order',
  'return',
  'refund',
  'store_credit',
  'gift_card',
  'reward_points',
  'receipt',
  'stock',
  'customer',
  'terminal',
  'product',
  'content',
  'endpoint',
] as const;
export type ObjectKind = (typeof objectKinds)[number];

/** The version of every type's facts and object. A change that breaks a reader gives a type a new one. */
export const eventVersion = 1;

export const isEventType = (word: string): word is EventType => eventTypes.some((type) => type === word);

/** The name of an event outside: the same in the feed, in every delivery and in every repeat of one. */
export const eventName = (eventId: number) => `evt_${eventId}`;

/** As it was told, without the object. */
export interface ToldEvent {
  eventId: number;
  sequence: number;
  type: EventType;
  version: number;
  occurredAt: string;
  objectKind: ObjectKind;
  objectId: string;
  facts: Readonly<Record<string, unknown>>;
}
