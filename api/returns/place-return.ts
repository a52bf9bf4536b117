import type { z } from 'zod';
import { createReturn } from '../../db/returns/create-return.ts';
import type { ThroughGateway } from '../../db/refunds/through-gateway.ts';
import type { CreatedReturn, NewReturn, ProviderSays } from '../../db/returns/new-return.ts';
import { initialiseReturn } from '../../db/returns/initialise-return.ts';
import { findReturn, findReturnOfSale, type ReturnRecord } from '../../db/returns/return.repository.ts';
import { reused } from '../../db/returns/reused-return.ts';
import { PosError } from '../../domain/errors.ts';
import { fillIn } from '../../domain/fill-in.ts';
import { soldOrder } from '../../db/returns/sold-order.ts';
import { storeOfOrder } from '../../db/platform/orders/store-of-order.ts';
import { gatewayUncertain } from '../../domain/refunds/gateway-uncertain.ts';
import { builtInCode } from '../../domain/returns/built-in-code.ts';
import { refundMethods } from '../../domain/returns/refund-method.ts';
import type { ReturnOptions } from '../../domain/returns/return-options.ts';
import { awaitReadyUpdate } from '../../workflows/returns/messages.ts';
import { returnId } from '../../workflows/support/return-id.ts';
import { posLocationId, posMethod, posOrderId, posReturnId } from '../../workflows/support/search-attributes.ts';
import type { RouteContext } from '../http/route.ts';
import { markReplayed } from '../http/mark-replayed.ts';
import { askProvider, noReturnsModule } from './active-provider.ts';
import { beingCreated } from './being-created.ts';
import { giveBackAtOnce, InDoubt, type GivenBack } from './give-back-at-once.ts';
import { choiceOf } from './choice-of.ts';
import { wantedItem, type itemRow } from './return-item-row.ts';
import { refuseUnlessGivenBack } from './refuse-unless-given-back.ts';
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
 * Creates a return and takes it as far as was asked (spec 4.8).
 *
 * A sale id makes it safe to repeat: the sale's first return is answered, once whatever was unfinished of it is
 * finished. Without one, and without an `Idempotency-Key`, a second call is a second return.
 *
 * Refused as the register's route says (`createReturnRoute`).
 */
export async function placeReturn(request: RouteContext, wish: ReturnWish): Promise<PlacedReturn> {
  const { em, operation } = request;
  const posSaleId = wish.posSaleId || null;
  const existing = await madeBefore(request, posSaleId);
  const created = existing
    ? await takeUp(request, wish, existing)
    : await createReturn(em, { ...(await wanted(request, wish, posSaleId)), made: operation.made });
  const rma = existing?.isReady ? existing : await startReturn(request, created);
  refuseWhileUncertain(rma);
  if (created.isReused) markReplayed(request);
  return { rma, isReused: created.isReused };
}

/** The return that an earlier run of this request created, or that the sale has already. */
async function madeBefore({ em, operation }: RouteContext, posSaleId: string | null) {
  if (operation.madeBefore !== null) return findReturn(em, operation.madeBefore);
  return posSaleId === null ? undefined : findReturnOfSale(em, posSaleId);
}

/** A repeat gets the 409 of the first call while the refund is uncertain. */
function refuseWhileUncertain({ returnId: rmaId, requestedRefundMethod, attemptId, attemptState }: ReturnRecord): void {
  if (requestedRefundMethod === 'original_payment' && attemptId !== null && attemptState === 'uncertain')
    throw gatewayUncertain({ attemptId, state: attemptState, returnId: rmaId });
}

/** The sale has its return already; only its order and its provider are checked. */
async function takeUp({ em, operation, providers }: RouteContext, { orderId }: ReturnWish, existing: ReturnRecord) {
  const enabled = await providers.returns.inOrder(await storeOfOrder(em, existing.orderId));
  const providerCodes = enabled.map(({ code }) => code);
  const found = reused(existing, { orderId, ...(providerCodes.length === 0 ? {} : { providerCodes }) });
  // A register that lost the answer of this request does not get `reused`.
  return { ...found, isReused: operation.madeBefore === null };
}

async function wanted({ em, providers }: RouteContext, wish: ReturnWish, posSaleId: string | null): Promise<NewReturn> {
  const order = await soldOrder(em, wish.orderId);
  const enabled = await providers.returns.inOrder(order.storeId);
  const [provider] = enabled;
  if (!provider) throw noReturnsModule();
  const { options, says } = await askProvider(provider, order);
  const providerCodes = enabled.map(({ code }) => code);
  return newReturn(wish, { posSaleId, options, provider: says, providerCodes, periodDays: order.rules.periodDays });
}

interface Offer {
  posSaleId: string | null;
  options: ReturnOptions;
  provider: ProviderSays;
  providerCodes: readonly string[];
  periodDays: number;
}

const newReturn = (wish: ReturnWish, { options, periodDays, ...offer }: Offer): NewReturn => ({
  orderId: wish.orderId,
  // Zero means no customer.
  customerId: wish.customerId && wish.customerId > 0 ? wish.customerId : null,
  // Zero means no location.
  locationId: wish.locationId || null,
  items: wish.items.map((row) => wantedItem(row, { isAutoApproved: wish.autoApprove, options, periodDays })),
  comment: wish.comment || null,
  isAutoApproved: wish.autoApprove,
  refundMethod: wish.autoApprove ? choiceOf(refundMethods, 'refundMethod', wish.refundMethod) : null,
  ...offer,
});

/**
 * The goods are taken in, and the money is waited for or goes back through its gateway: without a workflow, and also while
 * that is away. A provider outside is the workflow's, and so is what stays in doubt.
 */
async function startReturn(request: RouteContext, rma: CreatedReturn): Promise<ReturnRecord> {
  const { em, log } = request;
  try {
    const begun = rma.providerCode === builtInCode ? await initialiseAtOnce(request, rma) : undefined;
    if (begun !== 'done') await askUntilReady(request, rma);
    if (begun instanceof InDoubt) await refuseUnlessGivenBack(em, begun);
  } catch (error) {
    const now = await findReturn(em, rma.returnId);
    if (!(error instanceof PosError)) throw error;
    // A repeat learns that the return exists, and why it is not ready.
    const isUnfinished = rma.isReused && !now.isReady;
    if (error.status < 500 && !isUnfinished) throw withReturnId(error, now.returnId);
    if (!now.isReady) throw beingCreated(now, error.status < 500 ? fillIn(error.message, error.parameters) : undefined);
    log.warn({ 'rma.id': now.returnId }, 'the return stands, its workflow could not be told');
    return now;
  }
  return findReturn(em, rma.returnId);
}

async function initialiseAtOnce(context: RouteContext, rma: CreatedReturn): Promise<GivenBack> {
  const { returnId, isReady, requestedRefundMethod } = rma;
  if (isReady) return 'done';
  const open = (through: ThroughGateway) => initialiseReturn(context.em, { returnId, ...through });
  if (requestedRefundMethod === 'original_payment') return giveBackAtOnce(context, { returnId, open });
  const { refused } = await open({ canRefundThrough: () => false });
  if (refused) throw new PosError(refused);
  return 'done';
}

const askUntilReady = ({ workflows, requestId }: RouteContext, rma: CreatedReturn) =>
  workflows.ask({
    update: awaitReadyUpdate,
    workflow: 'returnWorkflow',
    id: returnId(rma.returnId),
    input: { rmaId: rma.returnId, endsWhenIdle: true },
    request: null,
    operationKey: requestId,
    patienceMs: 60_000,
    summary: `Return ${rma.incrementId} · order ${rma.orderIncrementId}`,
    searchAttributes: attributes(rma),
  });

const attributes = ({ returnId: rmaId, orderId, locationId, requestedRefundMethod }: CreatedReturn) => [
  { key: posReturnId, value: rmaId },
  { key: posOrderId, value: orderId },
  ...(locationId === null ? [] : [{ key: posLocationId, value: String(locationId) }]),
  ...(requestedRefundMethod === null ? [] : [{ key: posMethod, value: requestedRefundMethod }]),
];
