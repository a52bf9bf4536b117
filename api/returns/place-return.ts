import type { z } from 'zod';
import { objectionOfMoney } from '../../db/refunds/judge-money.ts';
import { drawReturn } from '../../db/returns/draw-return.ts';
import type { CreatedReturn } from '../../db/returns/new-return.ts';
import { findReturn, findReturnOfSale, type ReturnRecord } from '../../db/returns/return.repository.ts';
import { reused } from '../../db/returns/reused-return.ts';
import { soldOrder } from '../../db/returns/sold-order.ts';
import { storeOfOrder } from '../../db/platform/orders/store-of-order.ts';
import { tooLate } from '../../db/support/begin-before.ts';
import { PosError } from '../../domain/errors.ts';
import { fillIn } from '../../domain/fill-in.ts';
import { gatewayUncertain } from '../../domain/refunds/gateway-uncertain.ts';
import { eligibilityOf } from '../../domain/returns/eligibility.ts';
import { moneyObjection, notEligible, objectionTo } from '../../domain/returns/objection-to.ts';
import { refundMethods } from '../../domain/returns/refund-method.ts';
import type { CreateRequest } from '../../domain/returns/return-requests.ts';
import { StillRunning } from '../../providers/temporal/workflows.ts';
import { sealWords } from '../../providers/returns/sealed-words.ts';
import { createUpdate, type ReturnInput } from '../../workflows/returns/messages.ts';
import { posLocationId, posMethod, posOrderId, posReturnId } from '../../workflows/support/search-attributes.ts';
import type { RouteContext } from '../http/route.ts';
import { markReplayed } from '../http/mark-replayed.ts';
import { sendMailSoon } from '../temporal/send-mail-soon.ts';
import { askProvider, noReturnsModule } from './active-provider.ts';
import { askInTurn, aWait, commandOf, workflowOf, type ReturnNames } from './ask-return.ts';
import { beingCreated } from './being-created.ts';
import { choiceOf } from './choice-of.ts';
import { wantedItem, type itemRow } from './return-item-row.ts';
import { withReturnId } from './with-return-id.ts';

/** A return as a caller asks for it (spec 4.8). */
export interface ReturnWish {
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
export async function placeReturn(request: RouteContext, wish: ReturnWish): Promise<PlacedReturn> {
  const posSaleId = wish.posSaleId || null;
  const existing = await madeBefore(request, posSaleId);
  const placed = existing
    ? await takeUp(request, wish, existing)
    : await create(request, wish, await wanted(request, wish, posSaleId));
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
function refuseWhileUncertain({ returnId: rmaId, requestedRefundMethod, attemptId, attemptState }: ReturnRecord): void {
  if (requestedRefundMethod === 'original_payment' && attemptId !== null && attemptState === 'uncertain')
    throw gatewayUncertain({ attemptId, state: attemptState, returnId: rmaId });
}

/** The sale has its return already: what is unfinished of it is finished. Only its order and its provider are checked. */
async function takeUp(
  request: RouteContext,
  { orderId }: Pick<ReturnWish, 'orderId'>,
  existing: ReturnRecord,
): Promise<PlacedReturn> {
  const { em, operation, providers } = request;
  const enabled = await providers.returns.inOrder(await storeOfOrder(em, existing.orderId));
  const providerCodes = enabled.map(({ code }) => code);
  const found = reused(existing, { orderId, ...(providerCodes.length === 0 ? {} : { providerCodes }) });
  // A register that lost the answer of this request does not get `reused`.
  const isReused = operation.madeBefore !== existing.returnId;
  if (existing.isReady) return { rma: existing, isReused };
  const asked = { input: { rmaId: existing.returnId }, names: existing, moment: existing.beginBefore };
  return { rma: await askUntilReady(request, { ...asked, rma: { ...found, isReused: true } }), isReused };
}

/** Its request, judged by what can be read without a lock. */
async function wanted(request: RouteContext, wish: ReturnWish, posSaleId: string | null) {
  const { em, providers } = request;
  const order = await soldOrder(em, wish.orderId);
  const enabled = await providers.returns.inOrder(order.storeId);
  const [provider] = enabled;
  if (!provider) throw noReturnsModule();
  const { options, says } = await askProvider(provider, order);
  const { periodDays } = order.rules;
  const items = wish.items.map((row) => wantedItem(row, { isAutoApproved: wish.autoApprove, options, periodDays }));
  const rows = items.map((item) => ({
    orderItemId: item.orderItemId,
    qty: item.qtyRequested,
    resolutionId: item.resolutionId ?? item.resolution,
  }));
  const objection = objectionTo(eligibilityOf({ order, rules: order.rules, ...says, now: order.asOf }), rows);
  if (objection) throw notEligible(objection);
  // With `autoApprove` the money is judged under the lock, and the return stands.
  const money = wish.autoApprove ? undefined : await objectionOfMoney(em, { orderId: wish.orderId, items: rows });
  if (money) throw notEligible({ orderItemId: 0, periodDays: 0, ...moneyObjection(money) });
  return {
    // Zero means no customer.
    customerId: wish.customerId && wish.customerId > 0 ? wish.customerId : null,
    items: items.map(({ reason: _reason, condition: _condition, resolutionId = null, ...item }) => ({
      ...item,
      resolutionId,
    })),
    words: sealWords(providers.secrets, {
      comment: wish.comment || null,
      goods: items.map(({ reason, condition }) => ({ reason, condition })),
    }),
    isAutoApproved: wish.autoApprove,
    refundMethod: wish.autoApprove ? choiceOf(refundMethods, 'refundMethod', wish.refundMethod) : null,
    posSaleId,
    provider: { ...says, resolutionIds: [...says.resolutionIds] },
    providerCodes: enabled.map(({ code }) => code),
  };
}

type Wanted = Awaited<ReturnType<typeof wanted>>;

async function create(request: RouteContext, { orderId, ...wish }: ReturnWish, asked: Wanted): Promise<PlacedReturn> {
  const { em, operation, workflows } = request;
  await workflows.refuseWhileAway();
  // Zero means no location.
  const locationId = wish.locationId || null;
  const {
    returnId: drawnId,
    incrementId,
    beginBefore: moment,
    ...names
  } = await drawReturn(em, { orderId, locationId });
  const rmaId = operation.madeBefore ?? drawnId;
  // Kept before anybody is asked: a later run of this request asks for the same return.
  if (operation.madeBefore === null) await operation.made(em, rmaId);
  const create: CreateRequest = { ...asked, ...commandOf(request, moment), incrementId, orderId, locationId };
  const rma = await askUntilReady(request, {
    rma: { returnId: rmaId, isReused: false, orderId, locationId, requestedRefundMethod: asked.refundMethod },
    input: { rmaId, begin: { verb: 'create', create } },
    names: { ...names, incrementId },
    moment,
  });
  if (rma.returnId === rmaId) return { rma, isReused: false };
  // The sale had a return that was made at the same moment.
  return takeUp(request, { orderId }, rma);
}

interface Asked {
  rma: Pick<CreatedReturn, 'returnId' | 'isReused' | 'orderId' | 'locationId' | 'requestedRefundMethod'>;
  input: ReturnInput;
  names: ReturnNames;
  moment: string;
}

/** Asks the return's workflow, which starts with it, until what its creation asked for is done. */
async function askUntilReady(request: RouteContext, asked: Asked): Promise<ReturnRecord> {
  const { rma, input, names, moment } = asked;
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

const attributes = ({ returnId: rmaId, orderId, locationId, requestedRefundMethod }: Asked['rma']) => [
  { key: posReturnId, value: rmaId },
  { key: posOrderId, value: orderId },
  ...(locationId === null ? [] : [{ key: posLocationId, value: String(locationId) }]),
  ...(requestedRefundMethod === null ? [] : [{ key: posMethod, value: requestedRefundMethod }]),
];
