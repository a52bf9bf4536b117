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

/** What an event of each type tells of. */
export const objectOfType: Readonly<Record<EventType, readonly ObjectKind[]>> = {
  'order.placed': ['order'],
  'order.paid': ['order'],
  'order.refunded': ['order'],
  'order.cancelled': ['order'],
  'return.created': ['return'],
  'return.received': ['return'],
  'return.settled': ['return'],
  'return.closed': ['return'],
  'return.refused': ['return'],
  'refund.uncertain': ['refund'],
  'refund.decided': ['refund'],
  'layaway.opened': ['order'],
  'layaway.paid': ['order'],
  'layaway.stale': ['order'],
  'layaway.cancelled': ['order'],
  'layaway.settled': ['order'],
  'credit.changed': ['store_credit', 'gift_card', 'reward_points'],
  'receipt.synced': ['receipt'],
  'receipt.claimed': ['receipt'],
  'stock.moved': ['stock'],
  'customer.changed': ['customer'],
  'terminal.activated': ['terminal'],
  'terminal.revoked': ['terminal'],
  'product.changed': ['product'],
  'content.published': ['content'],
  'endpoint.paused': ['endpoint'],
};

/** When each type is told, for the API document. */
export const toldWhen: Readonly<Record<EventType, string>> = {
  'order.placed': 'An order was stored.',
  'order.paid': 'Nothing is due of an order any more.',
  'order.refunded': 'A credit memo of an order was booked.',
  'order.cancelled': 'An order was cancelled.',
  'return.created': 'A return was stored.',
  'return.received': 'The goods of a return are in.',
  'return.settled': 'The money of a return is back.',
  'return.closed': 'A return has ended.',
  'return.refused': 'A return was rejected or denied.',
  'refund.uncertain': 'Nobody knows whether a refund went back.',
  'refund.decided': 'Somebody knows what became of a doubtful refund.',
  'layaway.opened': 'A layaway was opened.',
  'layaway.paid': 'A part of a layaway was paid.',
  'layaway.stale': 'A layaway is late.',
  'layaway.cancelled': 'A layaway was cancelled.',
  'layaway.settled': 'A layaway is paid and was settled.',
  'credit.changed': 'Store credit, a gift card or reward points moved.',
  'receipt.synced': 'A receipt was stored.',
  'receipt.claimed': 'A customer took a receipt into the account.',
  'stock.moved': 'The quantity of a product at a source changed.',
  'customer.changed': 'A customer was created, changed or deleted.',
  'terminal.activated': 'A device is bound to a terminal.',
  'terminal.revoked': 'A device is not bound any more, or the terminal is switched off.',
  'product.changed': 'A product was created, changed or deleted.',
  'content.published': 'Content is shown in a new version.',
  'endpoint.paused': 'An endpoint took nothing for a day.',
};
