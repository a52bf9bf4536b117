import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import { invalidValue } from '../../domain/errors.ts';
import { builtInCode } from '../../domain/returns/built-in-code.ts';
import { eligibilityOf, noObjection } from '../../domain/returns/eligibility.ts';
import { notEligible, objectionTo, type WantedLine } from '../../domain/returns/objection-to.ts';
import { inspectionByCondition } from '../../domain/returns/inspection.ts';
import { refuseBrokenPieces } from '../../domain/returns/whole-pieces.ts';
import { noSuchLocation } from '../locations/location.repository.ts';
import { lockOrderRow, type LockedOrderRow } from '../platform/orders/lock-order-row.ts';
import { transact } from '../support/transact.ts';
import { findPlaces } from './find-places.ts';
import { insertReturn } from './insert-return.ts';
import { findReturnOfSale } from './return.repository.ts';
import { reused } from './reused-return.ts';
import { soldOrder, type SoldOrderRecord } from './sold-order.ts';
import type { WantedItem, NewReturn, ProviderSays, CreatedReturn } from './new-return.ts';

const builtIn: ProviderSays = { code: builtInCode, resolutionIds: [], verdict: noObjection };

/**
 * Records a return, with the register's sale id, in one transaction under the order lock (spec 4.8).
 *
 * Safe to repeat with a sale id: the first return of the sale is answered, `isReused`. What `autoApprove` asks for is
 * only recorded. `initialiseReturn` does it after the commit, as often as necessary.
 *
 * Refused with: 404 unknown order, unknown location · 400 unknown source, a part of a whole piece · 400 `return_not_eligible` · 409 `sale_return_conflict`.
 */
export async function createReturn(em: EntityManager, wanted: NewReturn): Promise<CreatedReturn> {
  try {
    return await transact(em, (tx) => createUnderLock(tx, wanted));
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException) || wanted.posSaleId === null) throw error;
    // A concurrent request with the same sale id on another order was faster.
    const existing = await findReturnOfSale(em, wanted.posSaleId);
    if (!existing) throw error;
    return reused(existing, wanted);
  }
}

async function createUnderLock(em: EntityManager, wanted: NewReturn): Promise<CreatedReturn> {
  const order = await lockOrderRow(em, wanted.orderId);
  const { isSaleKnown, isPlaceKnown, hasDamagedShelf, unknownSource } = await findPlaces(em, wanted);
  const existing = wanted.posSaleId !== null && isSaleKnown ? await findReturnOfSale(em, wanted.posSaleId) : undefined;
  if (existing) return reused(existing, wanted);
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
  });
  await wanted.made?.(em, returnId);
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

/**
 * Checks rows against the present state. The caller has locked the order, so two concurrent requests for the same
 * goods never both pass.
 *
 * Refused with: 400 `return_not_eligible`, naming the first reason · 400 a part of a whole piece.
 *
 * @returns the order as checked
 */
export async function refuseUnlessEligible(
  em: EntityManager,
  { orderId, provider, rows }: { orderId: number; provider: ProviderSays; rows: readonly WantedLine[] },
): Promise<SoldOrderRecord> {
  const order = await soldOrder(em, orderId);
  const eligibility = eligibilityOf({
    order,
    rules: order.rules,
    resolutionIds: provider.resolutionIds,
    verdict: provider.verdict,
    now: order.asOf,
  });
  const objection = objectionTo(eligibility, rows);
  if (objection) throw notEligible(objection);
  refuseBrokenPieces(order.lines, rows);
  return order;
}

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
  // The workflow must ask an outside provider first.
  isReady: !wanted.isAutoApproved && (wanted.provider?.code ?? builtInCode) === builtInCode,
  comment: wanted.comment,
});
