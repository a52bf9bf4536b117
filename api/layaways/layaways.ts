import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { UpdateDefinition } from '@temporalio/common';
import { z } from 'zod';
import { readLayaway, type CancelledLeg, type LayawaySnapshot } from '../../db/layaways/read-layaway.ts';
import { keepPlaceOfOperation } from '../../db/movements/movement-place.ts';
import { beginBefore, tooLate } from '../../db/support/begin-before.ts';
import { refuseCardData } from '../../domain/card-data.ts';
import type { Command } from '../../domain/command.ts';
import { PosError } from '../../domain/errors.ts';
import {
  isCancelled,
  isFeePercent,
  reasonSealedFor,
  refuseCancelling,
  wrongFeePercent,
  type FollowedLayaway,
} from '../../domain/layaways.ts';
import { markdownLiteral } from '../../domain/markdown-literal.ts';
import { parseUnits, toWire } from '../../domain/money.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { answerWithinMs } from '../../domain/patience.ts';
import {
  feePercentOutOfRange,
  layawayCancelled,
  layawayPaidInFull,
  orderIsNoLayaway,
} from '../../domain/refusals/money.ts';
import { waitedTooLong, workflowsAway } from '../../domain/refusals/platform.ts';
import { StillRunning, type Question } from '../../providers/temporal/workflows.ts';
import { cancelUpdate, layawayId, refreshSignal, type LayawayInput } from '../../workflows/layaways/messages.ts';
import { posExpiresAt, posOrderId, posStatus } from '../../workflows/support/search-attributes.ts';
import { walletActor } from '../http/route-kinds.ts';
import { route, type Outcome as RouteOutcome, type RouteContext } from '../http/route.ts';
import { readRounded } from '../wire/criteria.ts';
import { cardNumber, newCard, unknownOrder } from '../wire/outcomes.ts';
import { registerPlace } from '../wire/register-place.ts';
import { scalar } from '../wire/scalar.ts';
import { idParam, text } from '../wire/schemas.ts';

/** How often the row is looked at once no answer can be expected any more. */
const lookEveryMs = 250;
/** The books are silent too: the caller hears that, and not later. */
const lastLookMs = 900;

export interface QuestionWithRow<Answer, Request, Input, Row> extends Omit<
  Question<Answer, Request & Command, Input>,
  'request' | 'operationKey' | 'patienceMs'
> {
  request: Request;
  /** The record as it is now. */
  read: () => Promise<Row>;
  /** Whether the record has what was asked for, by this request or by an earlier run of it. */
  isDone: (row: Row) => boolean | Promise<boolean>;
}

/**
 * Asks a workflow for a change that a caller waits for. Where no answer comes, the row tells what happened, once
 * nothing of the request can begin any more: so what the caller hears stays true.
 *
 * Refused with: the refusals of the verb · 503 workflows cannot be reached, and nothing was sent · 503 it did not begin
 * in time, and never will.
 */
async function askOrRead<Answer, Request extends object, Input, Row>(
  context: Pick<RouteContext, 'em' | 'workflows' | 'operation' | 'caller' | 'requestId'>,
  { request, read, isDone, ...question }: QuestionWithRow<Answer, Request, Input, Row>,
): Promise<Row> {
  const { em, workflows } = context;
  await workflows.refuseWhileAway();
  const command = await commandOf(context, em);
  // What begins in time has ended by then.
  const decidedAt = performance.now() + answerWithinMs;
  try {
    await workflows.ask({
      ...question,
      request: { ...request, ...command },
      operationKey: command.operationKey,
      patienceMs: answerWithinMs,
    });
  } catch (error) {
    if (!(error instanceof StillRunning)) throw error;
    return readUntil(decidedAt, { read, isDone });
  }
  return read();
}

async function readUntil<Row>(
  decidedAt: number,
  { read, isDone }: Pick<QuestionWithRow<unknown, unknown, unknown, Row>, 'read' | 'isDone'>,
): Promise<Row> {
  for (;;) {
    const leftMs = decidedAt - performance.now();
    const [row, isThere] = await withinMs(lastLookMs, async () => {
      const now = await read();
      return [now, await isDone(now)] as const;
    });
    if (isThere) return row;
    if (leftMs <= 0) throw tooLate();
    await pause(Math.min(lookEveryMs, leftMs));
  }
}

const commandOf = async (
  { operation, caller, requestId }: Pick<RouteContext, 'operation' | 'caller' | 'requestId'>,
  em: EntityManager,
): Promise<Command> => ({
  operationKey: operation.key,
  beginBefore: await beginBefore(em),
  by: caller.name,
  requestId,
});

/** `StillRunning` after this time: the books are silent, too. */
async function withinMs<Answer>(ms: number, work: () => Promise<Answer>): Promise<Answer> {
  const late = new AbortController();
  try {
    return await Promise.race([
      work(),
      pause(Math.max(0, ms), undefined, { signal: late.signal }).then(() => {
        throw new StillRunning();
      }),
    ]);
  } finally {
    late.abort();
  }
}

export interface LayawayQuestion<Request> {
  /** The state before the request. */
  layaway: LayawaySnapshot;
  update: UpdateDefinition<Outcome<FollowedLayaway>, [Request & Command]>;
  request: Request;
  /** Whether the requested change is committed; checked when no answer came in time. */
  isDone: (now: LayawaySnapshot) => boolean | Promise<boolean>;
}

/**
 * Asks a layaway's workflow to change it, and reads the committed state.
 *
 * Refused with: the refusals of the verb · 503 as `askOrRead`.
 */
export const askLayaway = <Request extends object>(
  request: Pick<RouteContext, 'em' | 'workflows' | 'operation' | 'caller' | 'requestId'>,
  { layaway, ...question }: LayawayQuestion<Request>,
): Promise<LayawaySnapshot> =>
  askOrRead<Outcome<FollowedLayaway>, Request, LayawayInput, LayawaySnapshot>(request, {
    ...question,
    ...lifeOf(layaway),
    read: () => readLayaway(request.em, layaway.orderId),
  });

/**
 * Tells the workflow of a layaway that its row was changed, or that an answer came from the row: the run may not know
 * its end. Best effort; the hourly look tells it, too.
 */
export function tellItsWorkflow(orderId: number, { workflows, log }: Pick<RouteContext, 'workflows' | 'log'>): void {
  workflows.signal(refreshSignal, layawayId(orderId)).catch((error: unknown) => {
    if (!(error instanceof PosError) || error.status !== 404)
      log.warn({ orderId, error }, 'the workflow of a layaway did not hear of a change; the sweep tells it');
  });
}

const lifeOf = ({ orderId, incrementId, status, expiresAt }: LayawaySnapshot) => ({
  workflow: 'layawayWorkflow',
  id: layawayId(orderId),
  input: { orderId },
  summary: `Layaway of order ${markdownLiteral(incrementId)}`,
  searchAttributes: [
    { key: posStatus, value: status ?? '' },
    { key: posOrderId, value: orderId },
    ...(expiresAt === null ? [] : [{ key: posExpiresAt, value: new Date(expiresAt) }]),
  ],
});

/** Enough digits for any division of a register. */
const decimal = /^[+-]?\d{1,15}(?:\.\d{1,40})?(?:e-\d{1,3})?$/i;

/** A percentage as sent: its bounds are checked before it is rounded. */
const feePercent = scalar<string, number>({
  type: 'float',
  read: (input) => {
    const written = typeof input === 'number' ? String(input) : input;
    return typeof written === 'string' && decimal.test(written) ? written : undefined;
  },
  write: Number,
  json: { type: 'number', minimum: 0, maximum: 100 },
});

/** In 1/10 000 of a percent. Refused with 400: outside 0..100, by however little. */
function feeUnits(written: string): number {
  const percent = Number(written);
  const units = isFeePercent(percent) ? parseUnits(readRounded(percent, 4) ?? '') : undefined;
  if (units === undefined) throw wrongFeePercent();
  return units;
}

const leg = z.object({
  kind: z.string(),
  provider_code: z.string(),
  applies_as: z.string(),
  direction: z.string(),
  base_amount: z.number(),
  amount: z.number(),
  points: z.int().optional(),
  is_new_card: z.literal(true).optional(),
  code: z.string().nullable().optional(),
});

/** A layaway in the register's words (spec 2.13). */
export const layawayAnswer = z
  .object({
    order_id: z.int(),
    order_increment_id: z.string(),
    total_captured: z.number(),
    balance_owed: z.number(),
    status: z.string(),
    expires_at: z.string().nullable(),
  })
  .meta({ id: 'Layaway' });

const cancelledLayawayAnswer = layawayAnswer
  .extend({
    cancellation_fee: z.number(),
    refund_amount: z.number(),
    refund_method: z.string().nullable(),
    credit_memo_increment_id: z.string().nullable(),
    credit_legs: z.array(leg),
  })
  .meta({ id: 'CancelledLayaway' });

/** The only place that knows a layaway's wire names. */
export const renderLayaway = (layaway: LayawaySnapshot): z.input<typeof layawayAnswer> => ({
  order_id: layaway.orderId,
  order_increment_id: layaway.incrementId,
  total_captured: toWire(layaway.totalCaptured),
  balance_owed: toWire(layaway.balanceOwed),
  status: layaway.status ?? '',
  expires_at: layaway.expiresAt,
});

/** As above, with the cashier's next steps. */
function renderCancelledLayaway(layaway: LayawaySnapshot): z.input<typeof cancelledLayawayAnswer> {
  const { cancellation } = layaway;
  if (!cancellation) throw new Error(`the layaway of order ${layaway.orderId} was cancelled, and nothing says how`);
  return {
    ...renderLayaway(layaway),
    cancellation_fee: toWire(cancellation.fee),
    refund_amount: toWire(cancellation.refund),
    refund_method: cancellation.refundMethod,
    credit_memo_increment_id: cancellation.creditMemoIncrementId,
    credit_legs: cancellation.legs.map(renderLeg),
  };
}

/** `direction`: all of them go back to their balance. */
const renderLeg = ({ kind, providerCode, appliesAs, baseAmount, amount, points, newCardCode }: CancelledLeg) => ({
  kind,
  provider_code: providerCode,
  applies_as: appliesAs,
  direction: 'returned',
  base_amount: toWire(baseAmount),
  amount: toWire(amount),
  ...(points === null ? {} : { points }),
  ...(newCardCode === null ? {} : newCard(newCardCode)),
});

/** Refusals that several routes of this folder share. */

export const soldInOnePayment: RouteOutcome = orderIsNoLayaway;

/**
 * Cancels a layaway: books a credit memo less the fee, gives credits back, and cancels the open invoice and the order
 * (spec 4.7).
 */
export const cancelLayawayRoute = route({
  method: 'POST',
  path: '/V1/pos/layaways/:orderId/cancel',
  acl: 'Vendor_Pos::locations',
  summary: 'Cancel a layaway',
  name: 'cancelLayaway',
  description: `Books a credit memo of what was paid less the fee, gives credits back to their balances, and cancels
    the invoice and the order. No money moves: hand \`refund_amount\` back by \`refund_method\`. \`feePercent\` is a
    part of everything that was paid, money and credit. \`terminalId\` and \`registerSessionUuid\` assign what is handed
    back to a register and its session; without them its receipt does.`,
  outcomes: [
    unknownOrder,
    feePercentOutOfRange,
    soldInOnePayment,
    layawayCancelled.because('A repeat with the same `Idempotency-Key` gets the first answer instead.'),
    layawayPaidInFull,
    workflowsAway,
    waitedTooLong,
    cardNumber,
  ],
  commits: 'several',
  params: z.object({ orderId: idParam }),
  body: z.object({ feePercent, reason: text(4_000).default(''), ...registerPlace }),
  response: cancelledLayawayAnswer,

  async handle(request) {
    const { em, params, body, operation, providers } = request;
    const layaway = await readLayaway(em, params.orderId);
    const fee = feeUnits(body.feePercent);
    // The operation's key, not the request id: a register may repeat its request id.
    const operationKey = operation.key;
    if (isCancelled(layaway.status, layaway.state)) tellItsWorkflow(layaway.orderId, request);
    if (layaway.cancellation?.operationKey === operationKey) return renderCancelledLayaway(layaway);
    refuseCancelling(layaway);
    refuseCardData(body.reason);
    const sealedReason = body.reason === '' ? null : providers.secrets.seal(body.reason, reasonSealedFor);
    await keepPlaceOfOperation(em, operationKey, body);
    const cancelled = await askLayaway(request, {
      layaway,
      update: cancelUpdate,
      request: { feePercent: fee, sealedReason, actor: walletActor(request.caller) },
      isDone: (now) => now.cancellation?.operationKey === operationKey,
    });
    return renderCancelledLayaway(cancelled);
  },
});
