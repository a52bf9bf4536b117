import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { amountColumn } from '../support/columns.ts';

/** The documents that move money or credit. Each is the only source of its fact. */
export const movementSources = [
  ...(['receipt', 'money_in', 'memo', 'cancellation', 'incident'] as const),
  ...(['order_credit', 'credit_return', 'credit_refund', 'wallet_entry', 'card_entry'] as const),
  'session_movement',
] as const;

/**
 * `sale`, `deposit`, `payment` and `refund` are money by a tender. The others are credit: redeemed by an order, issued
 * for a refund, or given by the office and by points that were a discount. `cash_in`, `cash_out` and `drop` move cash
 * between a drawer and the office.
 */
export const movementKinds = [
  ...(['sale', 'deposit', 'payment', 'refund'] as const),
  ...(['credit_redeemed', 'credit_issued', 'credit_given'] as const),
  ...(['cash_in', 'cash_out', 'drop'] as const),
] as const;
export type MovementKind = (typeof movementKinds)[number];

/**
 * Money or credit that moved, once per document and line. Triggers write it with its document
 * (`first-day/30-movements.sql`); the page Today reads a day of it by one index.
 */
export const Movement = defineEntity({
  name: 'Movement',
  tableName: 'pos_movement',
  properties: {
    /** Rises in the order in which movements were written. */
    movementId: p.bigint('number').primary().autoincrement(),
    source: p.enum(movementSources),
    sourceId: p.bigint('number'),
    /** A split sale has a line for each tender. */
    line: p.integer().default(0),
    kind: p.enum(movementKinds),
    /** In lower case; the card processors and the platform's names of cash and cards are `cash` and `card`. */
    tender: p.text(),
    /** Positive for money in, negative for money out. Credit is positive. In the currency of the document. */
    amount: amountColumn(),
    /** In upper case. */
    currency: p.text(),
    locationId: p.bigint('number').nullable(),
    /** Null: unassigned. It counts for the day of the store and for no drawer. */
    terminalId: p.bigint('number').nullable(),
    /** As its document names it, in lower case. */
    registerSessionUuid: p.text().nullable(),
    /** The session that it belongs to; null where the document names none, an unknown one, or one of another store. */
    sessionId: p.bigint('number').nullable(),
    /** Stored after its session was closed: it explains a difference, and is in no expected figure. */
    isLate: p.boolean().default(false),
    /** Of a late one: the closing that shows it as a correction. */
    closingId: p.bigint('number').nullable(),
    staffId: p.bigint('number').nullable(),
    orderId: p.bigint('number').nullable(),
    creditMemoId: p.bigint('number').nullable(),
    /** The receipt that assigned the movement to its terminal. */
    receiptId: p.bigint('number').nullable(),
    /** False: the tender is that of the order, and the document's receipt states the real one. */
    isTenderStated: p.boolean().default(true),
    occurredAt: p.datetime(6),
    /** The day at the store, by its time zone when the movement was written. A trigger sets it. */
    businessDay: p.date(),
  },
  uniques: [{ name: 'pos_movement_once', properties: ['source', 'sourceId', 'line'] }],
  indexes: [
    {
      name: 'pos_movement_session',
      expression: `create index "pos_movement_session" on "pos_movement" ("session_id") where session_id is not null`,
    },
    {
      name: 'pos_movement_late',
      expression: `create index "pos_movement_late" on "pos_movement" ("session_id") where is_late`,
    },
    {
      name: 'pos_movement_claimed',
      expression: `create index "pos_movement_claimed" on "pos_movement" ("register_session_uuid") where session_id is null and register_session_uuid is not null`,
    },
    {
      name: 'pos_movement_by_day',
      expression:
        'create index "pos_movement_by_day" on "pos_movement" ("business_day") include ("location_id", "kind", "tender", "currency", "amount", "occurred_at")',
    },
    { name: 'pos_movement_of_order', properties: ['orderId'], where: 'order_id is not null' },
    { name: 'pos_movement_of_memo', properties: ['creditMemoId'], where: 'credit_memo_id is not null' },
    { name: 'pos_movement_of_receipt', properties: ['receiptId'], where: 'receipt_id is not null' },
  ],
});
export type Movement = InferEntity<typeof Movement>;

/**
 * The terminal and session that a request named for a document that a workflow writes later. The movement takes them
 * over when its document is written.
 */
export const MovementPlace = defineEntity({
  name: 'MovementPlace',
  tableName: 'pos_movement_place',
  properties: {
    /** `operation <key>` of a payment or cancellation of a layaway, `return <id>` of a settled return. */
    placeKey: p.string().length(128).primary(),
    terminalId: p.bigint('number').nullable(),
    registerSessionUuid: p.text().nullable(),
    createdAt: p.datetime(6).defaultRaw('now()').index(),
  },
});
export type MovementPlace = InferEntity<typeof MovementPlace>;

export const movementEntities = [Movement, MovementPlace];
