import type { UpdateDefinition } from '@temporalio/common';
import { z } from 'zod';
import { readLayaway, type CancelledLeg, type LayawaySnapshot } from '../../db/layaways/read-layaway.ts';
import { keepPlaceOfOperation } from '../../db/movements/movement-place.ts';
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
import {
  feePercentOutOfRange,
  layawayCancelled,
  layawayPaidInFull,
  orderIsNoLayaway,
} from '../../domain/refusals/money.ts';
import { waitedTooLong, workflowsAway } from '../../domain/refusals/platform.ts';
import { cancelUpdate, layawayId, refreshSignal, type LayawayInput } from '../../workflows/layaways/messages.ts';
import { posExpiresAt, posOrderId, posStatus } from '../../workflows/support/search-attributes.ts';
import { askOrRead } from '../temporal/ask-or-read.ts';
import { walletActor } from '../http/route-kinds.ts';
import { route, type Outcome as RouteOutcome, type RouteContext } from '../http/route.ts';
import { readRounded } from '../wire/criteria.ts';
import { cardNumber, newCard, unknownOrder } from '../wire/outcomes.ts';
import { registerPlace } from '../wire/register-place.ts';
import { scalar } from '../wire/scalar.ts';
import { idParam, text } from '../wire/schemas.ts';

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
