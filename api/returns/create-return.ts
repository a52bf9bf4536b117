import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { createReturn } from '../../db/returns/create-return.ts';
import type { CreatedReturn, NewReturn, ProviderSays } from '../../db/returns/new-return.ts';
import { initialiseReturn } from '../../db/returns/initialise-return.ts';
import { findReturn, findReturnOfSale, type ReturnRecord } from '../../db/returns/return.repository.ts';
import { reused } from '../../db/returns/reused-return.ts';
import { fieldRequired, PosError } from '../../domain/errors.ts';
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
import { refuseCardData } from '../wire/refuse-card-data.ts';
import { route, type RouteContext } from '../http/route.ts';
import { flag, integer, jsonText, payload, text } from '../wire/schemas.ts';
import { markReplayed } from '../http/mark-replayed.ts';
import { askProvider, noReturnsModule } from './active-provider.ts';
import { beingCreated } from './being-created.ts';
import { choiceOf } from './choice-of.ts';
import { renderReturn, returnAnswer } from './render-return.ts';
import { itemRow, wantedItem } from './return-item-row.ts';
import { withReturnId } from './with-return-id.ts';
import { createReturnWords } from './create-return-words.ts';

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
    orderId: integer,
    customerId: integer.optional(),
    items: jsonText(z.array(itemRow).min(1).max(500)),
    comment: text(4_000).optional(),
    autoApprove: flag.default(false),
    locationId: integer.optional(),
    refundMethod: text(64).optional(),
    posSaleId: text(64).optional(),
  }),
  response: returnAnswer,

  async handle(request) {
    const { body, em, operation } = request;
    refuseCardData(body.comment);
    if (body.autoApprove && !body.locationId) throw fieldRequired('locationId');
    const posSaleId = body.posSaleId || null;
    const existing = await madeBefore(request, posSaleId);
    const created = existing
      ? await takeUp(request, existing)
      : await createReturn(em, { ...(await wanted(request, posSaleId)), made: operation.made });
    const rma = existing?.isReady ? existing : await startReturn(request, created);
    refuseWhileUncertain(rma);
    if (created.isReused) markReplayed(request);
    return renderReturn(rma, created.isReused);
  },
});

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

type Create = RouteContext & { body: Body };

/** The sale has its return already; only its order and its provider are checked. */
async function takeUp({ body, em, operation, providers }: Create, existing: ReturnRecord) {
  const enabled = await providers.returns.inOrder(await storeOfOrder(em, existing.orderId));
  const providerCodes = enabled.map(({ code }) => code);
  const found = reused(existing, { orderId: body.orderId, ...(providerCodes.length === 0 ? {} : { providerCodes }) });
  // A register that lost the answer of this request does not get `reused`.
  return { ...found, isReused: operation.madeBefore === null };
}

type Body = {
  orderId: number;
  customerId?: number | undefined;
  items: readonly z.output<typeof itemRow>[];
  comment?: string | undefined;
  autoApprove: boolean;
  locationId?: number | undefined;
  refundMethod?: string | undefined;
};

async function wanted({ body, em, providers }: Create, posSaleId: string | null): Promise<NewReturn> {
  const order = await soldOrder(em, body.orderId);
  const enabled = await providers.returns.inOrder(order.storeId);
  const [provider] = enabled;
  if (!provider) throw noReturnsModule();
  const { options, says } = await askProvider(provider, order);
  const providerCodes = enabled.map(({ code }) => code);
  return newReturn(body, { posSaleId, options, provider: says, providerCodes, periodDays: order.rules.periodDays });
}

interface Offer {
  posSaleId: string | null;
  options: ReturnOptions;
  provider: ProviderSays;
  providerCodes: readonly string[];
  periodDays: number;
}

const newReturn = (body: Body, { options, periodDays, ...offer }: Offer): NewReturn => ({
  orderId: body.orderId,
  // Zero means no customer.
  customerId: body.customerId && body.customerId > 0 ? body.customerId : null,
  // Zero means no location.
  locationId: body.locationId || null,
  items: body.items.map((row) => wantedItem(row, { isAutoApproved: body.autoApprove, options, periodDays })),
  comment: body.comment || null,
  isAutoApproved: body.autoApprove,
  refundMethod: body.autoApprove ? choiceOf(refundMethods, 'refundMethod', body.refundMethod) : null,
  ...offer,
});

/**
 * The goods are taken in, and money that goes through no gateway is waited for: one transaction. A provider outside and a
 * gateway are the workflow's; a return that needs nothing more is answered even while that is away.
 */
async function startReturn(request: RouteContext, rma: CreatedReturn): Promise<ReturnRecord> {
  const { em, log } = request;
  try {
    if (needsNobody(rma)) await parkAtOnce(em, rma);
    else await askUntilReady(request, rma);
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

const needsNobody = ({ providerCode, requestedRefundMethod }: CreatedReturn) =>
  providerCode === builtInCode && requestedRefundMethod !== 'original_payment';

async function parkAtOnce(em: EntityManager, { returnId, isReady }: CreatedReturn): Promise<void> {
  if (isReady) return;
  const { refused } = await initialiseReturn(em, { returnId, canRefundThrough: () => false });
  if (refused) throw new PosError(refused);
}

const askUntilReady = ({ workflows, requestId }: RouteContext, rma: CreatedReturn) =>
  workflows.ask({
    update: awaitReadyUpdate,
    workflow: 'returnWorkflow',
    id: returnId(rma.returnId),
    input: { rmaId: rma.returnId, endsWhenIdle: true },
    request: null,
    requestId,
    summary: `Return ${rma.incrementId} · order ${rma.orderIncrementId}`,
    searchAttributes: attributes(rma),
  });

const attributes = ({ returnId: rmaId, orderId, locationId, requestedRefundMethod }: CreatedReturn) => [
  { key: posReturnId, value: rmaId },
  { key: posOrderId, value: orderId },
  ...(locationId === null ? [] : [{ key: posLocationId, value: String(locationId) }]),
  ...(requestedRefundMethod === null ? [] : [{ key: posMethod, value: requestedRefundMethod }]),
];
