import { z } from 'zod';
import type {
  Closing,
  RegisterSession,
  SessionCount,
  SessionMovement,
} from '../../db/register-sessions/register-session.entity.ts';
import type { WholeSession } from '../../db/register-sessions/read-sessions.ts';
import type { ComparedTender } from '../../domain/register-sessions/drawer-figures.ts';
import { sessionStates, type OpeningLine } from '../../domain/register-sessions/session-words.ts';
import { toWire } from '../../domain/money.ts';
import { sessionMovementKinds, countResults } from '../../db/register-sessions/register-session.entity.ts';
import { renderMoment } from '../wire/register/render-terminal.ts';

const denominations = z.record(z.string(), z.number());

const openingAnswer = z.object({
  currency: z.string(),
  counted: z.number(),
  denominations: denominations.optional(),
  /** Of a forced closing before it. */
  expected: z.number().optional(),
});

export const movementAnswer = z
  .object({
    movement_uuid: z.string(),
    register_session_uuid: z.string(),
    kind: z.enum(sessionMovementKinds),
    amount: z.number().nullable(),
    currency: z.string().nullable(),
    reason: z.string(),
    created_at: z.string(),
  })
  .meta({ id: 'SessionMovement' });

export const countAnswer = z
  .object({
    count_uuid: z.string(),
    register_session_uuid: z.string(),
    number: z.int(),
    result: z.enum(countResults),
    not_blind: z.boolean(),
    created_at: z.string(),
  })
  .meta({ id: 'SessionCount' });

const figureAnswer = z.object({
  currency: z.string(),
  tender: z.string(),
  count: z.int(),
  gross: z.number(),
  refunds: z.number(),
  net: z.number(),
  expected: z.number(),
  counted: z.number().nullable(),
  difference: z.number().nullable(),
});

const sessionFields = {
  register_session_uuid: z.string(),
  drawer_id: z.int(),
  terminal_id: z.int(),
  location_id: z.int(),
  staff_id: z.int().nullable(),
  state: z.enum(sessionStates),
  opening: z.array(openingAnswer),
  opened_at: z.string(),
  counts_made: z.int(),
  counts_permitted: z.int(),
  closed_at: z.string().nullable(),
  closed_by: z.int().nullable(),
};

/** A session as a list has it: without its movements, counts and figures. */
export const listedSessionAnswer = z.object(sessionFields).meta({ id: 'ListedRegisterSession' });

export const sessionAnswer = z
  .object({
    ...sessionFields,
    movements: z.array(movementAnswer),
    counts: z.array(countAnswer),
    figures: z.array(figureAnswer).nullable(),
    closing_id: z.int().nullable(),
    closing_number: z.int().nullable(),
    approval_id: z.int().nullable(),
  })
  .meta({ id: 'RegisterSession' });

export const closingAnswer = z
  .object({
    closing_id: z.int(),
    drawer_id: z.int(),
    number: z.int(),
    replaces: z.int().nullable(),
    is_forced: z.boolean(),
    has_difference: z.boolean(),
    business_day: z.string(),
    closed_at: z.string(),
    hash: z.string(),
    previous_hash: z.string().nullable(),
    document: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Closing' });

export const renderSession = (session: RegisterSession): z.input<typeof listedSessionAnswer> => ({
  register_session_uuid: session.registerSessionUuid,
  drawer_id: session.drawerId,
  terminal_id: session.terminalId,
  location_id: session.locationId,
  staff_id: session.staffId ?? null,
  state: session.state,
  opening: session.opening.map(renderOpening),
  opened_at: renderMoment(session.openedAt),
  counts_made: session.countsMade,
  counts_permitted: session.countsPermitted,
  closed_at: session.state === 'closed' ? renderMoment(session.closedAt) : null,
  closed_by: session.state === 'closed' ? (session.closedBy ?? null) : null,
});

const renderOpening = ({ currency, counted, denominations: pieces, expected }: OpeningLine) => ({
  currency,
  counted: Number(counted),
  ...(pieces === undefined ? {} : { denominations: pieces }),
  ...(expected === undefined ? {} : { expected: Number(expected) }),
});

export const renderMovement = (uuid: string, movement: SessionMovement): z.input<typeof movementAnswer> => ({
  movement_uuid: movement.movementUuid,
  register_session_uuid: uuid,
  kind: movement.kind,
  amount: movement.kind === 'no_sale' ? null : toWire(movement.amount),
  currency: movement.currency ?? null,
  reason: movement.reason,
  created_at: renderMoment(movement.createdAt),
});

/** Without what was expected: a count is blind. */
export const renderCount = (uuid: string, count: SessionCount): z.input<typeof countAnswer> => ({
  count_uuid: count.countUuid,
  register_session_uuid: uuid,
  number: count.number,
  result: count.result,
  not_blind: count.isNotBlind,
  created_at: renderMoment(count.createdAt),
});

const renderFigure = ({ currency, tender, count, counted, difference, ...amounts }: ComparedTender) => ({
  ...{ currency, tender, count },
  gross: toWire(amounts.gross),
  refunds: toWire(amounts.refunds),
  net: toWire(amounts.net),
  expected: toWire(amounts.expected),
  counted: counted === null ? null : toWire(counted),
  difference: difference === null ? null : toWire(difference),
});

export function renderWholeSession(whole: WholeSession): z.input<typeof sessionAnswer> {
  const { session, closing } = whole;
  const uuid = session.registerSessionUuid;
  return {
    ...renderSession(session),
    movements: whole.movements.map((movement) => renderMovement(uuid, movement)),
    counts: whole.counts.map((count) => renderCount(uuid, count)),
    figures: whole.figures?.map(renderFigure) ?? null,
    closing_id: closing?.closingId ?? null,
    closing_number: closing?.number ?? null,
    approval_id: whole.pendingApprovalId,
  };
}

export const renderClosing = (closing: Closing): z.input<typeof closingAnswer> => ({
  closing_id: closing.closingId,
  drawer_id: closing.drawerId,
  number: closing.number,
  replaces: closing.replaces ?? null,
  is_forced: closing.isForced,
  has_difference: closing.hasDifference,
  business_day: String(closing.businessDay),
  closed_at: renderMoment(closing.closedAt),
  hash: closing.hash,
  previous_hash: closing.previousHash ?? null,
  document: JSON.parse(closing.document),
});
