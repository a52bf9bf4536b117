import { z } from 'zod';
import type { StoredLeg } from '../../db/returns/return.entity.ts';
import { emptyRecord } from '../../domain/empty-record.ts';
import { fieldRequired, invalidValue, noSuchDocument, noSuchEntity, type PosError } from '../../domain/errors.ts';
import { amount, money as moneyOf, toWire } from '../../domain/money.ts';
import { legKinds, type ExpectedLeg } from '../../domain/refunds/quote-refund.ts';
import { refundAttemptStates } from '../../domain/refunds/refund-finding.ts';
import { uniqueConstraintViolated } from '../../domain/refusals/documents.ts';
import { locationNotFound, terminalNotFound } from '../../domain/refusals/register.ts';
import { customerHasNoCart } from '../../domain/refusals/sales.ts';
import { toStockDate } from './criteria.ts';
import { isObject } from './read-json.ts';
import { growing, integer, money, readInner } from './schemas.ts';

/** What routes of several features are refused with, for their outcomes. */

/** The outcome of a refusal, in its own words. */
const outcomeOf = ({ refusal: { status, message } }: PosError, when: string, then?: string) => ({
  status,
  message,
  when,
  ...(then === undefined ? {} : { then }),
});

/** 400 for an argument that is not sent (platform facts 2.3). */
export const requiredField = (when: string, then?: string) => outcomeOf(fieldRequired(''), when, then);

/** 400 for a value that a field cannot take (platform facts 2.3). */
export const invalidField = (when: string, then?: string) => outcomeOf(invalidValue('', ''), when, then);

/** 404 of the platform for whatever is not there (platform facts 2.3). */
export const unknownEntity = (when: string) => outcomeOf(noSuchEntity('', ''), when);

/** 404 of the platform for an order or a document of one that is not there (platform facts 2.4). */
export const unknownDocument = (when: string) => outcomeOf(noSuchDocument(), when);

export const unknownOrder = unknownDocument('There is no order of this id.');

export const cardNumber = {
  status: 400,
  message: 'The text must not be stored: it carries a card number.',
  when: 'A text that people write carries a card number.',
  then: 'Leave the number out.',
};

export const noActiveCart = customerHasNoCart.because('The customer has no cart, or its order is placed.', 'Open one.');

export const unknownTerminal = terminalNotFound.because('No terminal has this id.', 'Pull the terminals again.');

export const unknownLocation = locationNotFound.because('No location has this id.');

export const numberIsTaken = uniqueConstraintViolated.because(
  'Another document of its kind in the store has the `increment_id`.',
  'Leave the number out: the server draws one.',
);

/** The platform's answer where a document of an order could not be saved for a fault of ours (platform facts 2.4). */
export const couldNotSave = (document: 'an invoice' | 'a Creditmemo' | 'a shipment') => ({
  status: 400,
  message: `Could not save ${document}, see error log for details`,
  when: 'Something of ours is broken. Nothing is saved, and the log has the cause with the id of the request.',
  then: 'Send the same request again, with the same `Idempotency-Key`, when the operator has mended it.',
});

const returnId = z.int().meta({ description: 'The return.' });
const ofReturn = returnId.nullable().meta({ description: 'The return. Null: the refund has none.' });
const ofMemo = { credit_memo_id: z.int().optional(), credit_memo_increment_id: z.string().optional() };
const ofAttempt = {
  refund_attempt_id: z.int(),
  refund_attempt_state: z.enum(refundAttemptStates),
  return_id: ofReturn,
};

/** What a refusal carries beside its code, by the code. A code that is not here carries nothing. */
export const parametersByCode: Readonly<Record<string, z.ZodObject>> = {
  gateway_uncertain: z.object(ofAttempt),
  gateway_refused: z.object(ofAttempt),
  refund_decided: z.object({
    refund_attempt_id: z.int(),
    resolved_by: z.string().meta({ examples: ['Ada'] }),
    effective_at: z.string().meta({ examples: ['2026-11-23 09:30:00'] }),
  }),
  return_not_ready: z.object({ return_id: returnId }),
  sale_return_being_created: z.object({ return_id: returnId }),
  sale_return_conflict: z.object({
    return_id: returnId,
    order_id: z.int(),
    provider_code: z.string().meta({ examples: ['built_in'] }),
  }),
  sale_order_conflict: z.object({ order_id: z.int().optional(), increment_id: z.string().optional() }),
  nothing_left_to_refund: z.object({ return_id: ofReturn, ...ofMemo, refund_attempt_id: z.int().optional() }),
  reference_in_use: z.object({
    reference: z.string().meta({ examples: ['T-1'] }),
    return_id: ofReturn,
    return_increment_id: z
      .string()
      .nullable()
      .meta({ description: 'The number of that return.', examples: ['000000004'] }),
    ...ofMemo,
    refund_attempt_id: z.int().optional(),
  }),
  card_took_less: z.object({
    return_id: ofReturn,
    card_took: z.string().meta({ description: 'What the card paid, as text.', examples: ['60'] }),
    card_left: z.string().meta({ description: 'What it can take back, as text.', examples: ['60'] }),
  }),
  refund_from_admin: z.object({ return_id: ofReturn }),
  return_not_eligible: z.object({
    reason_code: z.string().meta({ description: 'Why it may not come back.', examples: ['outside_period'] }),
    period_days: z.int(),
    order_item_id: z.int().meta({ description: 'The line. 0: the whole order.' }),
    resolution_id: z.string().optional(),
    allowed_resolution_ids: z.array(z.string()).optional(),
  }),
  content_changed: z.object({ revision: z.int(), changed_by: z.string().meta({ examples: ['ada'] }) }),
};

/** A row that the database turned into JSON: numbers are numbers, times are ISO text. */
type JsonRow = Readonly<Record<string, unknown>>;

/**
 * The named columns of a row as the platform answers them (platform facts 4.3): null is left out, flags are 0 and 1,
 * moments (`…_at`) are `YYYY-MM-DD HH:MM:SS` in UTC.
 *
 * @param own keys whose values are not the row's, as they are answered
 */
export function renderRow(
  row: JsonRow,
  columns: readonly string[],
  own: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const answer = emptyRecord(columns.length);
  for (const column of columns) {
    const value = row[column];
    if (value === null || value === undefined) continue;
    if (typeof value === 'boolean') answer[column] = value ? 1 : 0;
    else answer[column] = typeof value === 'string' && column.endsWith('_at') ? renderMoment(value) : value;
  }
  for (const name of Object.keys(own)) answer[name] = own[name];
  return answer;
}

/** `2026-11-21T09:30:00.123+00:00` → `2026-11-21 09:30:00`, without a Date where the zone is UTC. */
const renderMoment = (iso: string) =>
  iso.endsWith('+00:00') ? `${iso.slice(0, 10)} ${iso.slice(11, 19)}` : toStockDate(iso);

/** A credit leg of a return or a preview (spec 2.11, 4.8). */
export const returnLeg = z
  .object({
    kind: z.string(),
    provider_code: z.string(),
    applies_as: z.string(),
    /** `returned` by the memo, or still to be `issued` by `credits/refund`. */
    direction: z.enum(['returned', 'issued']),
    base_amount: z.number(),
    amount: z.number(),
    points: z.number().optional(),
    is_new_card: z.literal(true).optional(),
    code: z.string().nullable().optional(),
  })
  .meta({ id: 'RefundLeg' });

type Direction = z.infer<typeof returnLeg>['direction'];

/**
 * A leg of a return or a preview.
 *
 * @param codes of the gift cards that were issued, by their ids; none in a preview
 */
export const renderLeg = (
  leg: StoredLeg,
  direction: Direction = 'returned',
  codes: ReadonlyMap<number, string> = new Map(),
): z.input<typeof returnLeg> => ({
  kind: leg.kind,
  provider_code: leg.providerCode,
  applies_as: leg.appliesAs ?? 'tender',
  direction,
  base_amount: toWire(amount(leg.baseAmount)),
  amount: toWire(amount(leg.amount)),
  ...(leg.points === undefined ? {} : { points: leg.points }),
  ...(leg.newCardId === undefined ? {} : newCard(codes.get(leg.newCardId ?? 0))),
});

/** A gift card in place of one that is disabled. Null: the code is not known, as in a preview. */
export const newCard = (code: string | undefined) => ({ is_new_card: true as const, code: code ?? null });

/** Above any credit, and small enough that legs can be summed. */
const mostOfLeg = moneyOf('1000000000');
const mostLegs = 500;

/**
 * A leg that a register sends back from its preview. It is only compared with the booked legs, so an unreadable part
 * is a difference, not a refusal (spec 4.8 settle).
 */
const expectedLeg = growing({
  kind: z.enum([...legKinds, 'loyalty_points', 'unknown']).catch('unknown'),
  amount: money
    .refine((worth) => Math.abs(worth) <= mostOfLeg)
    .nullable()
    .catch(null),
  points: integer.optional().catch(undefined),
}).transform(({ kind, amount: worth, points }): ExpectedLeg => ({
  // Points have two names (spec 2.10, 4.6).
  kind: kind === 'loyalty_points' ? 'reward_points' : kind,
  amount: worth,
  ...(points === undefined ? {} : { points }),
}));

/**
 * The legs of a preview, as a list or as its JSON text; blank text and null mean none. A value that is not a list
 * counts as one leg.
 */
export const expectedLegs = z.preprocess((input) => {
  const read = typeof input === 'string' ? readInner(input.trim() || 'null') : input;
  if (read === null || read === undefined) return undefined;
  // Any other value has no readable part of a leg.
  return (Array.isArray(read) ? read : [read]).map((leg) => (isObject(leg) ? leg : {}));
}, z.array(expectedLeg).max(mostLegs).optional());
