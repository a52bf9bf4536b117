import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { CountLine, OpeningLine } from '../../domain/register-sessions/session-words.ts';
import { amountColumn, optionalIds } from '../support/columns.ts';
import { shopNow } from '../support/shop-clock.ts';
import { sessionStates } from '../../domain/register-sessions/session-words.ts';

const createdAt = () => p.datetime(6).defaultRaw('now()').onCreate(shopNow);

/**
 * A drawer of cash. A terminal has one by default; a shared drawer serves several terminals of a location. Closings are
 * numbered for each drawer without gaps, by the row itself: a sequence leaves gaps.
 */
export const Drawer = defineEntity({
  name: 'Drawer',
  tableName: 'pos_drawer',
  properties: {
    drawerId: p.bigint('number').primary().autoincrement(),
    /** The terminal whose default drawer it is; null: a shared one. */
    terminalId: p.bigint('number').nullable().unique(),
    locationId: p.bigint('number').index(),
    name: p.string().length(255),
    /** The number and the digest of the last closing; 0 and null before the first one. */
    lastNumber: p.integer().default(0),
    lastHash: p.string().length(64).nullable().hidden(),
    createdAt: createdAt(),
  },
});
export type Drawer = InferEntity<typeof Drawer>;

/** The time between the opening and the closing of a drawer. The register chooses its UUID, which is its identity. */
export const RegisterSession = defineEntity({
  name: 'RegisterSession',
  tableName: 'pos_register_session',
  properties: {
    sessionId: p.bigint('number').primary().autoincrement(),
    /** In lower case. */
    registerSessionUuid: p.string().length(36).unique(),
    drawerId: p.bigint('number'),
    terminalId: p.bigint('number').index(),
    locationId: p.bigint('number'),
    ...optionalIds('staffId', 'closedBy'),
    state: p.enum(sessionStates),
    opening: p.json<OpeningLine[]>(),
    /** Tells a repeat of the opening from another one. */
    requestHash: p.string().length(64).hidden(),
    openedAt: p.datetime(6),
    /** The first night of the location's clock after the session may be closed by force. */
    forcedAfter: p.datetime(6),
    /** How many counts are permitted: the setting, and one more for each count that a later movement overtook. */
    countsPermitted: p.integer(),
    countsMade: p.integer().default(0),
    closedAt: p.datetime(6).nullable(),
    /** Of the closing with its explanations; null while it is open, and where it was closed by force. */
    closeHash: p.string().length(64).nullable().hidden(),
    /** Whether a person of the register has seen what the drawer should contain. */
    areFiguresShown: p.boolean().default(false),
    /** The request that opened it again last. */
    reopenedBy: p.text().nullable().hidden(),
    followedAt: p.datetime(6).nullable(),
    createdAt: createdAt(),
  },
  indexes: [
    {
      name: 'pos_register_session_drawer',
      expression: `create index "pos_register_session_drawer" on "pos_register_session" ("drawer_id", "session_id" desc)`,
    },
    {
      name: 'pos_register_session_one_open',
      expression: `create unique index "pos_register_session_one_open" on "pos_register_session" ("drawer_id") where state <> 'closed'`,
    },
  ],
});
export type RegisterSession = InferEntity<typeof RegisterSession>;

export const sessionMovementKinds = ['cash_in', 'cash_out', 'drop', 'no_sale'] as const;

/** Cash that was put into a drawer or taken out of it without a document, and a drawer that was opened without a sale. */
export const SessionMovement = defineEntity({
  name: 'SessionMovement',
  tableName: 'pos_session_movement',
  properties: {
    sessionMovementId: p.bigint('number').primary().autoincrement(),
    sessionId: p.bigint('number').index(),
    movementUuid: p.string().length(36).unique(),
    kind: p.enum(sessionMovementKinds),
    /** Above zero, as it was sent; zero for `no_sale`. */
    amount: amountColumn(),
    currency: p.string().length(3).nullable(),
    reason: p.text(),
    requestHash: p.string().length(64).hidden(),
    createdAt: createdAt(),
  },
});
export type SessionMovement = InferEntity<typeof SessionMovement>;

export const countResults = ['accepted', 'recount'] as const;

/** A count of a drawer. It never contains the expected figures in an answer: they are here for the comparison. */
export const SessionCount = defineEntity({
  name: 'SessionCount',
  tableName: 'pos_session_count',
  properties: {
    countId: p.bigint('number').primary().autoincrement(),
    sessionId: p.bigint('number').index(),
    countUuid: p.string().length(36).unique(),
    /** From 1. */
    number: p.integer(),
    lines: p.json<CountLine[]>(),
    result: p.enum(countResults),
    /** The movements that it includes; a close compares them with those of its moment. */
    movementsHash: p.string().length(64).hidden(),
    /** The figures had been shown before it. */
    isNotBlind: p.boolean().default(false),
    requestHash: p.string().length(64).hidden(),
    createdAt: createdAt(),
  },
});
export type SessionCount = InferEntity<typeof SessionCount>;

/** The closing of a session: numbered for its drawer, and chained by the digest of the one before. Never changed. */
export const Closing = defineEntity({
  name: 'Closing',
  tableName: 'pos_closing',
  properties: {
    closingId: p.bigint('number').primary().autoincrement(),
    drawerId: p.bigint('number'),
    number: p.integer(),
    sessionId: p.bigint('number').index(),
    /** The number of the closing that it replaces, after its session was opened again. */
    replaces: p.integer().nullable(),
    isForced: p.boolean().default(false),
    locationId: p.bigint('number'),
    terminalId: p.bigint('number'),
    businessDay: p.date(),
    /** Canonical JSON (RFC 8785): what its digest was made of. */
    document: p.text().hidden(),
    previousHash: p.string().length(64).nullable().hidden(),
    hash: p.string().length(64).hidden(),
    /** Whether counted and expected differ in any line. */
    hasDifference: p.boolean().default(false),
    closedAt: p.datetime(6),
  },
  uniques: [{ name: 'pos_closing_number', properties: ['drawerId', 'number'] }],
  indexes: [
    {
      name: 'pos_closing_day',
      expression: `create index "pos_closing_day" on "pos_closing" ("business_day", "location_id")`,
    },
  ],
});
export type Closing = InferEntity<typeof Closing>;

/** A difference that a second person has to approve before its session is closed. One for each count. */
export const ClosingApproval = defineEntity({
  name: 'ClosingApproval',
  tableName: 'pos_closing_approval',
  properties: {
    approvalId: p.bigint('number').primary().autoincrement(),
    sessionId: p.bigint('number').index(),
    countId: p.bigint('number').unique(),
    closedBy: p.bigint('number').nullable(),
    /** The account of the second person, and the name that the closing shows; null: nobody approved it yet. */
    approvedBy: p.string().length(64).nullable(),
    approvedName: p.string().length(255).nullable(),
    approvedAt: p.datetime(6).nullable(),
    createdAt: createdAt(),
  },
  indexes: [
    {
      name: 'pos_closing_approval_open',
      expression: `create index "pos_closing_approval_open" on "pos_closing_approval" ("created_at") where approved_at is null`,
    },
  ],
});
export type ClosingApproval = InferEntity<typeof ClosingApproval>;

export const registerSessionEntities = [
  Drawer,
  RegisterSession,
  SessionMovement,
  SessionCount,
  Closing,
  ClosingApproval,
];
