import { z } from 'zod';
import { isCustomer } from '../../db/platform/customers/read-customers.ts';
import { storeOfOrder } from '../../db/platform/orders/cancel-order.ts';
import { objectionOfMoney } from '../../db/refunds/refundable-money.ts';
import { drawReturn } from '../../db/returns/draw-return.ts';
import { findReturn, findReturnOfSale, type ReturnRecord } from '../../db/returns/return.repository.ts';
import { reused, soldOrder, type CreatedReturn } from '../../db/returns/sold-order.ts';
import { tooLate } from '../../db/support/begin-before.ts';
import { refuseCardData } from '../../domain/card-data.ts';
import { conflict, fieldRequired, noSuchEntity, PosError } from '../../domain/errors.ts';
import { fillIn } from '../../domain/fill-in.ts';
import { gatewayUncertain } from '../../domain/refunds/refund-finding.ts';
import { waitedTooLong, workflowsAway } from '../../domain/refusals/platform.ts';
import { eligibilityOf, moneyObjection, notEligible, objectionTo } from '../../domain/returns/eligibility.ts';
import { refundMethods } from '../../domain/returns/resolution.ts';
import type { CreateRequest } from '../../domain/returns/return-requests.ts';
import { sealWords } from '../../providers/returns/sealed-words.ts';
import { StillRunning } from '../../providers/temporal/workflows.ts';
import { createUpdate, type ReturnInput } from '../../workflows/returns/messages.ts';
import { posLocationId, posMethod, posOrderId, posReturnId } from '../../workflows/support/search-attributes.ts';
import { route, type AnyRoute, type RouteContext } from '../http/route.ts';
import { markReplayed } from '../http/within.ts';
import { sendMailSoon } from '../temporal/send-mail-soon.ts';
import { cardNumber, unknownOrder } from '../wire/outcomes.ts';
import { flag, jsonText, payload, recordId, reference, text } from '../wire/schemas.ts';
import { askProvider, noReturnsModule } from './ask-provider.ts';
import { askInTurn, aWait, commandOf, workflowOf, type ReturnNames } from './ask-return.ts';
import {
  cardTookLess,
  gatewayRefused,
  gatewayUncertain as returnOutcomesGatewayUncertain,
  notEligible as returnOutcomesNotEligible,
  unknownLocation,
} from './return-outcomes.ts';
import { returnAnswer, withPointsOwed } from './returns.ts';
import { choiceOf, itemRow, requestedItem } from './settle-return.ts';

/** A repeat is safe only with a sale id. Without one the caller must read the return and not create it again. */
const beingCreated = ({ incrementId, posSaleId, returnId: rmaId }: ReturnRecord, why?: string) =>
  posSaleId === null
    ? conflict(
        'return_not_ready',
        `Return ${incrementId} exists and is still being created. Read it again in a moment; do not make another.`,
        { return_id: rmaId },
      )
    : conflict(
        'sale_return_being_created',
        `Return ${incrementId} exists and is still being created. ${why ?? 'Send the same request again in a moment.'}`,
        { return_id: rmaId },
      );

/**
 * Adds the id of the created return to a refusal, because a register without a sale id could not find it otherwise.
 * Numbered values are filled into the message, so that the id can be a named parameter.
 */
function withReturnId({ refusal }: PosError, returnId: number): PosError {
  const { message, parameters } = refusal;
  if (Array.isArray(parameters))
    return new PosError({ ...refusal, message: fillIn(message, parameters), parameters: { return_id: returnId } });
  const named = new Map(Object.entries(parameters ?? {})).set('return_id', returnId);
  return new PosError({ ...refusal, parameters: Object.fromEntries(named) });
}

/** A return as a caller asks for it (spec 4.8). */
export interface ReturnPosted {
  orderId: number;
  customerId?: number | undefined;
  items: readonly z.output<typeof itemRow>[];
  comment?: string | undefined;
  autoApprove: boolean;
  locationId?: number | undefined;
  refundMethod?: string | undefined;
  posSaleId?: string | undefined;
}

/** A return that stands, and whether the sale had it before. */
export interface PlacedReturn {
  rma: ReturnRecord;
  isReused: boolean;
}

/**
 * Creates a return and takes it as far as was asked (spec 4.8): its workflow writes the row.
 *
 * A sale id makes it safe to repeat: the sale's first return is answered, once whatever was unfinished of it is
 * finished. Without one, and without an `Idempotency-Key`, a second call is a second return.
 *
 * Refused as the register's route says (`createReturnRoute`).
 */
export async function placeReturn(request: RouteContext, input: ReturnPosted): Promise<PlacedReturn> {
  const posSaleId = input.posSaleId || null;
  const existing = await madeBefore(request, posSaleId);
  const placed = existing
    ? await takeUp(request, input, existing)
    : await create(request, input, await requested(request, input, posSaleId));
  refuseWhileUncertain(placed.rma);
  if (placed.isReused) markReplayed(request);
  return placed;
}

/** The return that an earlier run of this request created, or that the sale has already. */
async function madeBefore({ em, operation }: RouteContext, posSaleId: string | null) {
  const made = operation.madeBefore === null ? undefined : await findReturnIfAny(em, operation.madeBefore);
  if (made) return made;
  return posSaleId === null ? undefined : findReturnOfSale(em, posSaleId);
}

async function findReturnIfAny(em: RouteContext['em'], returnId: number): Promise<ReturnRecord | undefined> {
  try {
    return await findReturn(em, returnId);
  } catch (error) {
    if (error instanceof PosError && error.status === 404) return undefined;
    throw error;
  }
}

/** A repeat gets the 409 of the first call while the refund is uncertain. */
function refuseWhileUncertain(rma: ReturnRecord): void {
  const { returnId: rmaId, requestedRefundMethod, attemptId, attemptState, attemptEffectiveAt: effectiveAt } = rma;
  if (requestedRefundMethod === 'original_payment' && attemptId !== null && attemptState === 'uncertain')
    throw gatewayUncertain({ attemptId, state: attemptState, returnId: rmaId, effectiveAt });
}

/**
 * The sale has its return already: what is unfinished of it is finished. Only its order and its provider are checked.
 */
async function takeUp(
  request: RouteContext,
  { orderId }: Pick<ReturnPosted, 'orderId'>,
  existing: ReturnRecord,
): Promise<PlacedReturn> {
  const { em, operation, providers } = request;
  const enabled = await providers.returns.inOrder(await storeOfOrder(em, existing.orderId));
  const providerCodes = enabled.map(({ code }) => code);
  const found = reused(existing, { orderId, ...(providerCodes.length === 0 ? {} : { providerCodes }) });
  // A register that lost the answer of this request does not get `reused`.
  const isReused = operation.madeBefore !== existing.returnId;
  if (existing.isReady) return { rma: existing, isReused };
  const query = { input: { rmaId: existing.returnId }, names: existing, moment: existing.beginBefore };
  return { rma: await askUntilReady(request, { ...query, rma: { ...found, isReused: true } }), isReused };
}

/** Its request, judged by what can be read without a lock. */
async function requested(request: RouteContext, input: ReturnPosted, posSaleId: string | null) {
  const { em, providers } = request;
  const order = await soldOrder(em, input.orderId);
  const enabled = await providers.returns.inOrder(order.storeId);
  const [provider] = enabled;
  if (!provider) throw noReturnsModule();
  const { options, says } = await askProvider(provider, order);
  if (order.customerId === null) await refuseUnknownCustomer(em, input.customerId);
  const { periodDays } = order.rules;
  const items = input.items.map((row) =>
    requestedItem(row, { isAutoApproved: input.autoApprove, options, periodDays }),
  );
  const rows = items.map((item) => ({
    orderItemId: item.orderItemId,
    qty: item.qtyRequested,
    resolutionId: item.resolutionId ?? item.resolution,
  }));
  const objection = objectionTo(eligibilityOf({ order, rules: order.rules, ...says, now: order.asOf }), rows);
  if (objection) throw notEligible(objection);
  // With `autoApprove` the money is judged under the lock, and the return stands.
  const money = input.autoApprove ? undefined : await objectionOfMoney(em, { orderId: input.orderId, items: rows });
  if (money) throw notEligible({ orderItemId: 0, periodDays: 0, ...moneyObjection(money) });
  return {
    // Zero means no customer.
    customerId: input.customerId && input.customerId > 0 ? input.customerId : null,
    items: items.map(({ reason: _reason, condition: _condition, resolutionId = null, ...item }) => ({
      ...item,
      resolutionId,
    })),
    words: sealWords(providers.secrets, {
      comment: input.comment || null,
      goods: items.map(({ reason, condition }) => ({ reason, condition })),
    }),
    isAutoApproved: input.autoApprove,
    refundMethod: input.autoApprove ? choiceOf(refundMethods, 'refundMethod', input.refundMethod) : null,
    posSaleId,
    provider: { ...says, resolutionIds: [...says.resolutionIds] },
    providerCodes: enabled.map(({ code }) => code),
  };
}

/** Refused with: 404 a guest's order is to be returned for a customer that is not there. */
async function refuseUnknownCustomer(em: RouteContext['em'], customerId: number | undefined): Promise<void> {
  if (customerId === undefined || customerId <= 0 || (await isCustomer(em, customerId))) return;
  throw noSuchEntity('customerId', customerId);
}

type Requested = Awaited<ReturnType<typeof requested>>;

async function create(
  request: RouteContext,
  { orderId, ...input }: ReturnPosted,
  query: Requested,
): Promise<PlacedReturn> {
  const { em, operation, workflows } = request;
  await workflows.refuseWhileAway();
  // Zero means no location.
  const locationId = input.locationId || null;
  const {
    returnId: drawnId,
    incrementId,
    beginBefore: moment,
    ...names
  } = await drawReturn(em, { orderId, locationId });
  const rmaId = operation.madeBefore ?? drawnId;
  // Kept before anybody is asked: a later run of this request asks for the same return.
  if (operation.madeBefore === null) await operation.made(em, rmaId);
  const create: CreateRequest = { ...query, ...commandOf(request, moment), incrementId, orderId, locationId };
  const rma = await askUntilReady(request, {
    rma: { returnId: rmaId, isReused: false, orderId, locationId, requestedRefundMethod: query.refundMethod },
    input: { rmaId, begin: { verb: 'create', create } },
    names: { ...names, incrementId },
    moment,
  });
  if (rma.returnId === rmaId) return { rma, isReused: false };
  // The sale had a return that was made at the same moment.
  return takeUp(request, { orderId }, rma);
}

interface Asking {
  rma: Pick<CreatedReturn, 'returnId' | 'isReused' | 'orderId' | 'locationId' | 'requestedRefundMethod'>;
  input: ReturnInput;
  names: ReturnNames;
  moment: string;
}

/** Asks the return's workflow, which starts with it, until what its creation asked for is done. */
async function askUntilReady(request: RouteContext, query: Asking): Promise<ReturnRecord> {
  const { rma, input, names, moment } = query;
  const { em, log } = request;
  const waiting = aWait(request, { returnId: rma.returnId, attemptId: null });
  try {
    const answer = await askInTurn(request, {
      update: createUpdate,
      request: commandOf(request, moment),
      ...workflowOf(input, names),
      searchAttributes: attributes(rma),
    });
    if (answer.mailId !== undefined) sendMailSoon(answer.mailId, request);
    return await findReturn(em, answer.reusedId ?? rma.returnId);
  } catch (error) {
    if (!(error instanceof PosError)) throw error;
    const now =
      error instanceof StillRunning
        ? await waiting.until(({ isReady }) => isReady, beingCreated).catch(notThere)
        : await findReturnIfAny(em, rma.returnId);
    if (now === undefined) throw error instanceof StillRunning ? tooLate() : error;
    if (error instanceof StillRunning) return now;
    // A repeat learns that the return exists, and why it is not ready.
    const isUnfinished = rma.isReused && !now.isReady;
    if (error.status < 500 && !isUnfinished) throw withReturnId(error, now.returnId);
    if (!now.isReady) throw beingCreated(now, error.status < 500 ? fillIn(error.message, error.parameters) : undefined);
    log.warn({ 'rma.id': now.returnId }, 'the return stands, its workflow could not be asked');
    return now;
  }
}

/** No row in time means no return, and there will be none. */
function notThere(error: unknown): undefined {
  if (error instanceof PosError && error.status === 404) return undefined;
  throw error;
}

const attributes = ({ returnId: rmaId, orderId, locationId, requestedRefundMethod }: Asking['rma']) => [
  { key: posReturnId, value: rmaId },
  { key: posOrderId, value: orderId },
  ...(locationId === null ? [] : [{ key: posLocationId, value: String(locationId) }]),
  ...(requestedRefundMethod === null ? [] : [{ key: posMethod, value: requestedRefundMethod }]),
];

/** Texts of the route that creates a return. */
const createReturnWords: Pick<AnyRoute, 'name' | 'summary' | 'description' | 'outcomes'> = {
  summary: 'Create a return',
  name: 'createReturn',
  description: `With \`autoApprove\` the return is approved, its goods are taken in, and it is parked or refunded in
    this call; \`locationId\` is needed then. Without it the return waits as \`pending\`. \`refundMethod\`
    \`original_payment\` refunds the card at once; any other method parks the return until \`settle\`. Send
    \`posSaleId\`, made by the register: it makes the call safe to repeat, and the sale’s one return is answered with
    \`reused\`. Where the approval or the refund is refused, the return stays and \`parameters.return_id\` names it;
      money
    that is known not to go back is refused before goods move, in the words of a settle.
    \`items\` is a JSON text. The refund follows \`qty_requested\`; \`qty_received\` moves stock only.`,
  outcomes: [
    unknownOrder,
    unknownLocation,
    returnOutcomesNotEligible,
    gatewayRefused,
    {
      status: 409,
      code: 'sale_return_conflict',
      message: 'The sale already has return 000000001 of another order.',
      when: '`posSaleId` belongs to a return of another order, or of another provider.',
      then: 'Show the sentence. The register made one id twice.',
    },
    {
      status: 409,
      code: 'sale_return_being_created',
      message: 'Return 000000013 exists and is still being created. Send the same request again in a moment.',
      when: 'The first call with this `posSaleId` is not over, or something stopped it: the sentence says what.',
      then: 'Send the same request again.',
    },
    {
      status: 409,
      code: 'return_not_ready',
      message: 'Return 000000014 exists and is still being created. Read it again in a moment; do not make another.',
      when: 'A call without `posSaleId` was not finished in time.',
      then: 'Read the return of `parameters.return_id`.',
    },
    returnOutcomesGatewayUncertain,
    cardTookLess,
    {
      status: 400,
      message:
        'Creditmemo Document Validation Error(s):\nA creditmemo can not be created when an order has a status of …',
      when: 'The order is on hold, or nothing may be refunded of it. The return stands, and no goods moved.',
      then: 'Send the same request again once the hold is gone, or close the return.',
    },
    {
      status: 400,
      code: 'nothing_left_to_refund',
      message: 'Nothing is left to refund: credit memo 000000007 took it.',
      when: 'Other refunds took the money. The return stands, and no goods moved.',
      then: 'Close the return.',
    },
    {
      status: 400,
      message:
        'The location has no source for damaged goods, so "…" cannot be received. Set one or choose another condition.',
      when: 'Goods came back damaged to a location without a place for them.',
    },
    workflowsAway,
    waitedTooLong,
    cardNumber,
  ],
};

/**
 * Creates a return; with `autoApprove` it is approved, received and parked or refunded in the same call (spec 4.8).
 *
 * A sale id makes it safe to repeat: the sale's first return is answered with `reused`, once whatever was unfinished
 * of it is finished; while its refund is uncertain, with the 409 of the first call. Without a sale id, and without an
 * `Idempotency-Key`, a second call is a second return, as far as anything is left to return. The approval is best
 * effort: when it or the refund is refused, the return stays and the error tells its id. A repeat that still cannot
 * finish it is a conflict that says why.
 */
export const createReturnRoute = route({
  method: 'POST',
  path: '/V1/pos/rma',
  acl: 'Vendor_Pos::locations',
  ...createReturnWords,
  commits: 'several',
  body: payload({
    orderId: recordId,
    customerId: recordId.optional(),
    items: jsonText(z.array(itemRow).min(1).max(500)),
    comment: text(4_000).optional(),
    autoApprove: flag.default(false),
    locationId: recordId.optional(),
    refundMethod: text(64).optional(),
    posSaleId: reference(64).optional(),
  }),
  response: returnAnswer,

  async handle(request) {
    const { body } = request;
    refuseCardData(body.comment);
    if (body.autoApprove && !body.locationId) throw fieldRequired('locationId');
    const { rma, isReused } = await placeReturn(request, body);
    return withPointsOwed(request, rma, isReused);
  },
});
