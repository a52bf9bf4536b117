import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import { invalidValue, PosError } from '../../domain/errors.ts';
import { fillIn } from '../../domain/fill-in.ts';
import { builtInCode } from '../../domain/returns/built-in-code.ts';
import { eligibilityOf, noObjection } from '../../domain/returns/eligibility.ts';
import { notEligible, objectionTo, type WantedLine } from '../../domain/returns/objection-to.ts';
import { inspectionByCondition } from '../../domain/returns/inspection.ts';
import { refuseBrokenPieces } from '../../domain/returns/whole-pieces.ts';
import { noSuchLocation } from '../locations/location.repository.ts';
import { lockOrderRow, type LockedOrderRow } from '../platform/orders/lock-order-row.ts';
import type { ThroughGateway } from '../refunds/through-gateway.ts';
import { tooLate } from '../support/begin-before.ts';
import { transact } from '../support/transact.ts';
import { addReturnComment } from './add-return-comment.ts';
import { initialiseReturn, settleWithoutMoney, startReturn, type Initialised } from './initialise-return.ts';
import { lockReturn, saveReturn, type Seen } from './lock-return.ts';
import { findPlaces } from './find-places.ts';
import { insertReturn } from './insert-return.ts';
import { findReturn, findReturnOfSale } from './return.repository.ts';
import { reused } from './reused-return.ts';
import { soldOrder, type SoldOrderRecord } from './sold-order.ts';
import type { WantedItem, NewReturn, ProviderSays, CreatedReturn } from './new-return.ts';

const builtIn: ProviderSays = { code: builtInCode, resolutionIds: [], verdict: noObjection };

/** A return that stands, and what its creation leaves to be done. */
export interface OpenedReturn extends CreatedReturn {
  begun: Initialised;
}

/**
 * Records a return, with the register's sale id, and does what `autoApprove` asks for, in one transaction under the order
 * lock (spec 4.8): it is approved, its goods are taken in, and it is parked, or its refund is written down. What an
 * outside provider must be asked first stays to be done.
 *
 * Safe to repeat: a return with this id is taken up where it stands. With a sale id the first return of the sale is
 * answered, `isReused`.
 *
 * Best effort: where goods cannot be taken in, the return stands as held, with a comment that gives the reason, and
 * `begun.refused` has the refusal; so where its money cannot go back, and then it is parked.
 *
 * Refused with: 404 unknown order, unknown location · 400 unknown source, a part of a whole piece · 400
 * `return_not_eligible` · 409 `sale_return_conflict` · 503 too late. Nothing is written then.
 */
export async function openReturn(em: EntityManager, wanted: NewReturn & ThroughGateway): Promise<OpenedReturn> {
  const created = await orReused(em, wanted, async () => {
    try {
      return await openInOne(em, wanted);
    } catch (error) {
      if (!(error instanceof CannotBegin)) throw error;
      return openHeld(em, wanted, error.refused);
    }
  });
  if ('begun' in created) return created;
  const { returnId } = created;
  // The sale has another return: its own workflow finishes that one.
  if (returnId !== wanted.numbers?.returnId) {
    const { status, isReady } = await findReturn(em, returnId);
    return { ...created, begun: { status, isReady } };
  }
  return { ...created, isReused: false, begun: await takeUp(em, { returnId, ...wanted }) };
}

/** Goes on with a return that an earlier run of the same creation wrote. */
async function takeUp(
  em: EntityManager,
  { returnId, canRefundThrough, seen }: { returnId: number; seen?: Seen | undefined } & ThroughGateway,
) {
  try {
    return await initialiseReturn(em, { returnId, canRefundThrough, seen });
  } catch (error) {
    if (!(error instanceof PosError)) throw error;
    const { status, isReady } = await findReturn(em, returnId);
    return { status, isReady, refused: error.refusal };
  }
}

/** What `autoApprove` asks for is refused: the return stands without it. */
class CannotBegin extends Error {
  readonly refused: PosError;

  constructor(refused: PosError) {
    super('the creation of a return cannot go on', { cause: refused });
    this.refused = refused;
  }
}

type Opened = CreatedReturn | OpenedReturn;

async function openInOne(em: EntityManager, wanted: NewReturn & ThroughGateway): Promise<Opened> {
  const { canRefundThrough } = wanted;
  const { created, begun } = await transact(em, async (tx) => {
    const made = await createUnderLock(tx, wanted);
    if (made.isReused || made.isReady) return { created: made, begun: undefined };
    const locked = await lockReturn(tx, made.returnId);
    const next = await startReturn(tx, { ...locked, through: { canRefundThrough } }).catch((error: unknown) => {
      throw error instanceof PosError ? new CannotBegin(error) : error;
    });
    await saveReturn(tx, locked);
    wanted.seen?.(locked);
    return { created: made, begun: next };
  });
  if (created.isReused) return created;
  if (begun === undefined) return { ...created, begun: { status: 'pending', isReady: true } };
  return {
    ...created,
    begun:
      begun.next === 'answer'
        ? begun.as
        : await settleWithoutMoney(em, { returnId: created.returnId, seen: wanted.seen }),
  };
}

const openHeld = (em: EntityManager, wanted: NewReturn, { message, parameters, refusal }: PosError): Promise<Opened> =>
  transact(em, async (tx) => {
    const created = await createUnderLock(tx, wanted);
    if (created.isReused) return created;
    const { returnId } = created;
    await addReturnComment(tx, {
      returnId,
      comment: `Not ready yet: ${fillIn(message, parameters)}`,
      status: 'pending',
    });
    return { ...created, begun: { status: 'pending' as const, isReady: false, refused: refusal } };
  });

/**
 * Only records a return: `initialiseReturn` does what it asks for, as often as necessary. Safe to repeat, and refused, as
 * above.
 */
export const createReturn = (em: EntityManager, wanted: NewReturn): Promise<CreatedReturn> =>
  orReused(em, wanted, () => transact(em, (tx) => createUnderLock(tx, wanted)));

async function orReused<Made>(
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

async function createUnderLock(em: EntityManager, wanted: NewReturn): Promise<CreatedReturn> {
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
    author: wanted.author ?? null,
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
  // Its workflow drew its numbers, and follows it from here on.
  followedAt: wanted.numbers === undefined ? null : new Date(),
  // The workflow must ask an outside provider first.
  isReady: !wanted.isAutoApproved && (wanted.provider?.code ?? builtInCode) === builtInCode,
  comment: wanted.comment,
});
