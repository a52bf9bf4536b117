/**
 * What the systems around the shop are told (`docs/inside/events.md`). Each name is an object and what became true of
 * it.
 */
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
  'register_session.closed',
  'register_session.difference',
  'product.changed',
  'content.published',
  'endpoint.paused',
  'endpoint.ping',
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
  'register_session',
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
export interface ReportedEvent {
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
  'register_session.closed': ['register_session'],
  'register_session.difference': ['register_session'],
  'product.changed': ['product'],
  'content.published': ['content'],
  'endpoint.paused': ['endpoint'],
  'endpoint.ping': ['endpoint'],
};

/** When each type is told, for the API document. */
export const reportedWhen: Readonly<Record<EventType, string>> = {
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
  'register_session.closed': 'A drawer was closed, by its register or by the night.',
  'register_session.difference': 'What was counted at a close differs from what should be there.',
  'product.changed': 'A product was created, changed or deleted.',
  'content.published': 'Content is shown in a new version.',
  'endpoint.paused': 'An endpoint took nothing for a day, or answered 410.',
  'endpoint.ping': 'A person asked for a test message to one endpoint; no other endpoint gets it.',
};

/**
 * Keys that no event shows, wherever they stand in an object: secrets, card data, and what terminals and gateways said,
 * which may hold either. The object's own route still answers them, to whoever may call it.
 */
const untold =
  /^(?:cc_\w+|protect_code|receipt_token|activation_code|additional_information|payment_additional_info|account_status|last_trans_id|raw_payload|terminal_raw_payload|terminal_info|terminal_payment_id|receipt_model|split_payments|config_overrides|remote_ip|x_forwarded_for)$/;

/** A copy of an object without them. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (untold.test(key) ? [] : [[key, withoutSecrets(inner)]])),
  );
}

/** An event as one sentence, for a chat: `{ "text": "…" }` as Slack and its likes take it. No names, no addresses. */
export function sentenceOf(event: ReportedEvent, { publicUrl }: { publicUrl?: string | undefined } = {}): string {
  const fact = (name: string) => plain(event.facts[name]);
  const page = publicUrl !== undefined && isForOperators(event.type) ? ` ${publicUrl}/ops` : '';
  const sentence = sentences[event.type]?.(fact, event.objectId);
  const named = `${event.objectKind.replaceAll('_', ' ')} ${fact('increment_id') || event.objectId}`;
  return `${sentence ?? `${event.type}: ${named}`}${page}`;
}

const isForOperators = (type: EventType) => type.startsWith('refund.') || type === 'endpoint.paused';

type Sentence = (fact: (name: string) => string, objectId: string) => string;

const sentences: Partial<Record<EventType, Sentence>> = {
  'refund.uncertain': (fact, id) =>
    `A refund of ${fact('amount')} ${fact('currency')} is in doubt: attempt ${id}. Nothing more is refunded until somebody knows.`,
  'refund.decided': (fact, id) => `The doubt about refund attempt ${id} is over: it is ${fact('state')}.`,
  'endpoint.paused': (fact, id) => `The webhook endpoint ${id} is paused. ${fact('reason')}`,
  'endpoint.ping': (_fact, id) => `This is a test message to webhook endpoint ${id}.`,
  'order.placed': (fact) => `Order ${fact('increment_id')} was placed: ${fact('grand_total')} ${fact('currency')}.`,
  'order.refunded': (fact) => `Order ${fact('increment_id')} was refunded: ${fact('refunded')} ${fact('currency')}.`,
  'stock.moved': (fact) =>
    `${fact('sku')} at ${fact('source_code')}: ${fact('quantity_before')} became ${fact('quantity')}.`,
};

/** Chats read marks; a fact has none. */
const plain = (fact: unknown): string =>
  typeof fact === 'string' || typeof fact === 'number'
    ? String(fact)
        .replaceAll(/[<>&*_~`|]/g, ' ')
        .slice(0, 200)
    : '';

/** How an endpoint is tried, and when it is given up (`docs/inside/events.md`). Pure: no clock. */

export const endpointStates = ['on', 'off', 'paused'] as const;
export type EndpointState = (typeof endpointStates)[number];

/** `standard`: the signed event, after Standard Webhooks. `slack`: one sentence, as Slack and its likes take it. */
export const endpointFormats = ['standard', 'slack'] as const;
export type EndpointFormat = (typeof endpointFormats)[number];

export const deliveryStates = ['waiting', 'delivered', 'given_up'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Each endpoint has a place of its own at the workers, so a shop may have so many. */
export const mostEndpoints = 32;

const second = 1;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A delivery that failed so long is given up; the next event of its object follows. */
export const triedForSeconds = 3 * day;

/** An endpoint that took nothing for so long is paused, and somebody is told. */
export const pausedAfterSeconds = day;

/** How long a secret signs after the rotation that replaced it, however many follow. */
export const overlapSeconds = day;

/** Secrets that sign at once, besides the newest: each adds a signature to every message. */
export const mostFormerSecrets = 8;

/** An endpoint that asks to be left alone for longer (`Retry-After`) is asked again after so long. */
const longestRetryAfterSeconds = day;

/** How long an endpoint is left alone that said so itself. 0: it did not. */
export const heldByAnswer = (status: number | null, retryAfterSeconds: number | undefined): number =>
  status === 429 || status === 503 ? Math.min(retryAfterSeconds ?? 0, longestRetryAfterSeconds) : 0;

/** The pause before the next try of one delivery: ours, or the longer one that the endpoint asked for. */
export const pauseBefore = (tries: number, retryAfterSeconds: number | undefined): number =>
  Math.max(pauseAfter(tries), Math.min(retryAfterSeconds ?? 0, longestRetryAfterSeconds));

/** The answer of an endpoint that is not there any more: it is paused, and nothing more is sent. */
export const goneStatus = 410;

/**
 * The pauses between the tries of one delivery; the last one repeats. As Standard Webhooks recommends, shorter at
 * first.
 */
const pauses = [5 * second, 30 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];

export const pauseAfter = (tries: number): number => pauses[Math.min(tries, pauses.length) - 1] ?? 10 * hour;

/** Failures in a row after which the endpoint, not the event, is the cause: then one delivery at a time asks it. */
export const failuresOfAnEndpoint = 5;

/** How long an endpoint is left alone that fails whatever it is sent. */
export const holdAfter = (failures: number): number =>
  failures < failuresOfAnEndpoint ? 0 : Math.min(hour, 5 * second * 2 ** Math.min(failures - failuresOfAnEndpoint, 12));

/** How the feed and the endpoints do, as `db/events/feed.ts` reads it. */
export interface FeedState {
  /** The last place that was given. */
  newest: number;
  /** Committed events that nobody gave a place, and since when. */
  withoutPlace: number;
  withoutPlaceSeconds: number;
  /**
   * How long the oldest transaction that wrote is open: what it tells comes so late, and nothing else does. Null: none
   * is.
   */
  openSeconds: number | null;
  /** How long the delivery that waits longest is due, of endpoints that are on and not left alone. */
  overdueSeconds: number;
  failingEndpoints: number;
  pausedEndpoints: number;
}

/** What an operator should know, and its figure: seconds, or how many endpoints. */
export interface FeedTrouble {
  kind: 'without_place' | 'held_open' | 'overdue' | 'paused' | 'failing';
  figure: number;
}

/** Places are given each minute where nobody reads; a worker looks for what is due without a pause. */
const lateAfterSeconds = 3 * minute;
/** A bulk or an import commits more often. */
const longTransactionSeconds = minute;

/** What is wrong, the gravest first; nothing where all is well. */
export function feedTroubles(state: FeedState): FeedTrouble[] {
  const { withoutPlaceSeconds, openSeconds, overdueSeconds, pausedEndpoints, failingEndpoints } = state;
  const troubles: (FeedTrouble & { isSo: boolean })[] = [
    { kind: 'without_place', figure: withoutPlaceSeconds, isSo: withoutPlaceSeconds > lateAfterSeconds },
    { kind: 'held_open', figure: openSeconds ?? 0, isSo: (openSeconds ?? 0) > longTransactionSeconds },
    { kind: 'overdue', figure: overdueSeconds, isSo: overdueSeconds > lateAfterSeconds },
    { kind: 'paused', figure: pausedEndpoints, isSo: pausedEndpoints > 0 },
    { kind: 'failing', figure: failingEndpoints, isSo: failingEndpoints > 0 },
  ];
  return troubles.flatMap(({ isSo, ...trouble }) => (isSo ? [trouble] : []));
}
