import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import { invalidValue } from '../../domain/errors.ts';
import { builtInCode } from '../../domain/returns/built-in-code.ts';
import { noObjection } from '../../domain/returns/eligibility.ts';
import { inspectionByCondition } from '../../domain/returns/inspection.ts';
import { refuseBrokenPieces } from '../../domain/returns/whole-pieces.ts';
import { noSuchLocation } from '../locations/location.repository.ts';
import { lockOrderRow, type LockedOrderRow } from '../platform/orders/lock-order-row.ts';
import { tooLate } from '../support/begin-before.ts';
import { transact } from '../support/transact.ts';
import { findPlaces } from './find-places.ts';
import { insertReturn } from './insert-return.ts';
import { refuseUnlessEligible } from './refuse-unless-eligible.ts';
import { findReturn, findReturnOfSale } from './return.repository.ts';
import { reused } from './reused-return.ts';
import type { WantedItem, NewReturn, ProviderSays, CreatedReturn } from './new-return.ts';
import { shopNow } from '../support/shop-clock.ts';

const builtIn: ProviderSays = { code: builtInCode, resolutionIds: [], verdict: noObjection };

/**
 * Only records a return: `initialiseReturn` does what it asks for, as often as necessary. Safe to repeat, and refused, as
 * `openReturn`.
 */
export const createReturn = (em: EntityManager, wanted: NewReturn): Promise<CreatedReturn> =>
  orReused(em, wanted, () => transact(em, (tx) => createUnderLock(tx, wanted)));

/** The return of the sale, where a concurrent request with its id was faster. Refused with: 409 as `reused`. */
export async function orReused<Made>(
  em: EntityManager,
  wanted: NewReturn,
  work: () => Promise<Made>,
): Promise<Made | CreatedReturn> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException) || wanted.posSaleId === null) throw error;
    // A concurrent request with the same sale id on another order was faster.
    const existing = await findReturnOfSale(em, wanted.posSaleId);
    if (!existing) throw error;
    return reused(existing, wanted);
  }
}

/** In the caller's transaction; it takes the lock of the order. See `createReturn`. */
export async function createUnderLock(em: EntityManager, wanted: NewReturn): Promise<CreatedReturn> {
  const order = await lockOrderRow(em, wanted.orderId);
  const places = { ...wanted, returnId: wanted.numbers?.returnId };
  const { isMade, isLate, isSaleKnown, isPlaceKnown, hasDamagedShelf, unknownSource } = await findPlaces(em, places);
  if (isMade && wanted.numbers) return { ...(await findReturn(em, wanted.numbers.returnId)), isReused: true };
  const existing = wanted.posSaleId !== null && isSaleKnown ? await findReturnOfSale(em, wanted.posSaleId) : undefined;
  if (existing) return reused(existing, wanted);
  if (isLate === true) throw tooLate();
  if (wanted.locationId !== null && !isPlaceKnown) throw noSuchLocation(wanted.locationId);
  if (unknownSource !== null) throw unknownSourceCode(unknownSource);
  const { lines } = await refuseUnlessEligible(em, {
    orderId: wanted.orderId,
    provider: wanted.provider ?? builtIn,
    rows: wanted.items.map(({ orderItemId, qtyRequested, resolution, resolutionId }) => ({
      orderItemId,
      qty: qtyRequested,
      resolutionId: resolutionId ?? resolution,
    })),
  });
  refuseBrokenPieces(lines, wanted.items.flatMap(received));
  const rma = rowOf(order, wanted);
  const { returnId, incrementId } = await insertReturn(em, {
    storeId: order.storeId,
    rma,
    items: wanted.items.map(({ resolutionId: _option, ...item }) => ({
      ...item,
      inspectedCondition:
        item.inspectedCondition ??
        inspectionByCondition(item.condition, { hasDamagedShelf: wanted.isAutoApproved && hasDamagedShelf }),
    })),
    sold: lines,
    numbers: wanted.numbers,
    author: wanted.author?.slice(0, 255) ?? null,
  });
  return {
    returnId,
    incrementId,
    orderId: order.orderId,
    orderIncrementId: order.incrementId,
    locationId: rma.locationId,
    requestedRefundMethod: rma.requestedRefundMethod,
    providerCode: rma.providerCode,
    isReady: rma.isReady,
    isReused: false,
  };
}

/** 400, naming the field: goods cannot be received at an unknown source. */
const unknownSourceCode = (value: string) => invalidValue('target_source_code', value);

/** The quantity counted at the counter, where it was sent. */
const received = ({ orderItemId, qtyReceived }: WantedItem) =>
  qtyReceived === null ? [] : [{ orderItemId, qty: qtyReceived }];

/** The return's own row, as requested. */
const rowOf = (order: LockedOrderRow, wanted: NewReturn) => ({
  orderId: order.orderId,
  // The order's customer is known; only a guest's order may get a customer here (our choice).
  customerId: order.customerId ?? wanted.customerId,
  locationId: wanted.locationId,
  providerCode: wanted.provider?.code ?? builtInCode,
  isAutoApproved: wanted.isAutoApproved,
  requestedRefundMethod: wanted.isAutoApproved ? wanted.refundMethod : null,
  posSaleId: wanted.posSaleId,
  // Its workflow drew its numbers, and follows it from here on.
  followedAt: wanted.numbers === undefined ? null : shopNow(),
  // The workflow must ask an outside provider first.
  isReady: !wanted.isAutoApproved && (wanted.provider?.code ?? builtInCode) === builtInCode,
  waitsForCaller: wanted.waitsForCaller ?? false,
  comment: wanted.comment,
});
