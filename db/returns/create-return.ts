import { UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import { invalidValue, PosError, type Refusal } from '../../domain/errors.ts';
import { fillIn } from '../../domain/fill-in.ts';
import { plainSettlement } from '../../domain/refunds/quote-refund.ts';
import { builtInCode, noObjection } from '../../domain/returns/eligibility.ts';
import type { SettleMethod } from '../../domain/returns/resolution.ts';
import {
  inspectionByCondition,
  isTerminal,
  refuseBrokenPieces,
  type ReturnStatus,
} from '../../domain/returns/return-status.ts';
import { noSuchLocation } from '../locations/location.repository.ts';
import { lockOrderRow, type LockedOrderRow } from '../platform/orders/lock-order-row.ts';
import { asOpen, itemsOf, openRefundAttempt, type OpenAttempt } from '../refunds/refund-intent.ts';
import { findOpenAttempt } from '../refunds/refund-attempt.repository.ts';
import { judgeMoney } from '../refunds/refundable-money.ts';
import type { ThroughGateway } from '../refunds/through-gateway.ts';
import { tooLate } from '../support/begin-before.ts';
import { type NewRowOf } from '../support/entity-columns.ts';
import { shopNow } from '../support/shop-clock.ts';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';
import { insertRows, into, type Written } from '../support/write-rows.ts';
import { addReturnComment, returnComments } from './add-return-comment.ts';
import { findPlaces } from './find-places.ts';
import { withReturn, type LockedReturn, type OrderAndReturn, type Seen } from './lock-return.ts';
import { receiveGoods } from './receive-return.ts';
import { recordHoldReason, refuseUnlessEligible } from './record-hold-reason.ts';
import { Return, ReturnItem } from './return.entity.ts';
import { findReturn, findReturnOfSale } from './return.repository.ts';
import { settleLocked } from './settle-return.ts';
import {
  reused,
  type CreatedReturn,
  type NewReturn,
  type ProviderSays,
  type ReturnNumbers,
  type RequestedItem,
} from './sold-order.ts';

export interface ReturnToInsert {
  storeId: number;
  rma: Omit<NewRowOf<typeof Return>, 'incrementId' | 'status'>;
  items: readonly Omit<NewRowOf<typeof ReturnItem>, 'rma' | 'status' | 'productName' | 'productSku'>[];
  /** The order's data of its lines: names and products are stored with the return. */
  sold: readonly { orderItemId: number; name?: string | null; sku: string }[];
  /** The author of the comment, where known. */
  author?: string | null;
  /** Drawn before; absent: drawn here. */
  numbers?: ReturnNumbers | undefined;
}

/**
 * Writes a pending return with its lines and its first comment. In the caller's transaction, under the order lock; a
 * repeat writes another one.
 */
export async function insertReturn(
  em: EntityManager,
  { storeId, numbers, ...requested }: ReturnToInsert,
): Promise<ReturnNumbers> {
  const drawn = numbers ?? (await draw.first(em, { storeId }));
  if (!drawn) throw new Error('no numbers for a return');
  await insertRows(em, newReturnRows(drawn, requested));
  return drawn;
}

/** The rows of a pending return whose numbers are drawn, for a statement that writes them. */
export const newReturnRows = (
  { returnId, incrementId }: ReturnNumbers,
  { rma, items, sold, author }: Omit<ReturnToInsert, 'storeId' | 'numbers'>,
): Written[] => [
  into(Return, [{ ...rma, returnId, incrementId, status: 'pending' }]),
  into(
    ReturnItem,
    items.map((item) => ({ ...item, rma: returnId, ...nameOf(item, sold), status: 'pending' })),
  ),
  returnComments(rma.comment ? [{ returnId, comment: rma.comment, status: 'pending', author: author ?? null }] : []),
];

const draw = sql('create-return.draw')`
  select nextval('sale_return_return_id_seq') as return_id,
    next_increment_id('return', $storeId) as increment_id`;

function nameOf({ orderItemId }: { orderItemId: number }, sold: ReturnToInsert['sold']) {
  const line = sold.find((one) => one.orderItemId === orderItemId);
  // A line without a name is read as one with an empty name.
  return { productName: line?.name || null, productSku: line?.sku ?? '' };
}

const builtIn: ProviderSays = { code: builtInCode, resolutionIds: [], verdict: noObjection };

/**
 * Only records a return: `initialiseReturn` does what it asks for, as often as necessary. Safe to repeat, and refused,
 * as `openReturn`.
 */
export const createReturn = (em: EntityManager, requested: NewReturn): Promise<CreatedReturn> =>
  orReused(em, requested, () => transact(em, (tx) => createUnderLock(tx, requested)));

/** The return of the sale, where a concurrent request with its id was faster. Refused with: 409 as `reused`. */
export async function orReused<Made>(
  em: EntityManager,
  requested: NewReturn,
  work: () => Promise<Made>,
): Promise<Made | CreatedReturn> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException) || requested.posSaleId === null) throw error;
    // A concurrent request with the same sale id on another order was faster.
    const existing = await findReturnOfSale(em, requested.posSaleId);
    if (!existing) throw error;
    return reused(existing, requested);
  }
}

/** In the caller's transaction; it takes the lock of the order. See `createReturn`. */
export async function createUnderLock(em: EntityManager, requested: NewReturn): Promise<CreatedReturn> {
  const order = await lockOrderRow(em, requested.orderId);
  const places = { ...requested, returnId: requested.numbers?.returnId };
  const { isMade, isLate, isSaleKnown, isPlaceKnown, hasDamagedShelf, unknownSource } = await findPlaces(em, places);
  if (isMade && requested.numbers) return { ...(await findReturn(em, requested.numbers.returnId)), isReused: true };
  const existing =
    requested.posSaleId !== null && isSaleKnown ? await findReturnOfSale(em, requested.posSaleId) : undefined;
  if (existing) return reused(existing, requested);
  if (isLate === true) throw tooLate();
  if (requested.locationId !== null && !isPlaceKnown) throw noSuchLocation(requested.locationId);
  if (unknownSource !== null) throw unknownSourceCode(unknownSource);
  const { lines } = await refuseUnlessEligible(em, {
    orderId: requested.orderId,
    provider: requested.provider ?? builtIn,
    rows: requested.items.map(({ orderItemId, qtyRequested, resolution, resolutionId }) => ({
      orderItemId,
      qty: qtyRequested,
      resolutionId: resolutionId ?? resolution,
    })),
  });
  refuseBrokenPieces(lines, requested.items.flatMap(received));
  const rma = rowOf(order, requested);
  const { returnId, incrementId } = await insertReturn(em, {
    storeId: order.storeId,
    rma,
    items: requested.items.map(({ resolutionId: _option, ...item }) => ({
      ...item,
      inspectedCondition:
        item.inspectedCondition ??
        inspectionByCondition(item.condition, { hasDamagedShelf: requested.isAutoApproved && hasDamagedShelf }),
    })),
    sold: lines,
    numbers: requested.numbers,
    author: requested.author?.slice(0, 255) ?? null,
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
const received = ({ orderItemId, qtyReceived }: RequestedItem) =>
  qtyReceived === null ? [] : [{ orderItemId, qty: qtyReceived }];

/** The return's own row, as requested. */
const rowOf = (order: LockedOrderRow, requested: NewReturn) => ({
  orderId: order.orderId,
  // The order's customer is known; only a guest's order may get a customer here (our choice).
  customerId: order.customerId ?? requested.customerId,
  locationId: requested.locationId,
  providerCode: requested.provider?.code ?? builtInCode,
  isAutoApproved: requested.isAutoApproved,
  requestedRefundMethod: requested.isAutoApproved ? requested.refundMethod : null,
  posSaleId: requested.posSaleId,
  // Its workflow drew its numbers, and follows it from here on.
  followedAt: requested.numbers === undefined ? null : shopNow(),
  // The workflow must ask an outside provider first.
  isReady: !requested.isAutoApproved && (requested.provider?.code ?? builtInCode) === builtInCode,
  waitsForCaller: requested.waitsForCaller ?? false,
  comment: requested.comment,
});

/** Approves every line of a locked return in the requested quantity, which the refund follows (spec 4.8). */
export function approveInFull(rma: LockedReturn): void {
  for (const item of rma.items) {
    item.qtyAuthorized = item.qtyRequested;
    item.qtyApproved = item.qtyRequested;
    item.status = 'approved';
  }
  rma.status = 'approved';
}

export interface Initialised {
  status: ReturnStatus;
  isReady: boolean;
  /** The outside provider must be asked before anything else. */
  needsProvider?: true;
  /** A gateway refund to carry out now; a left-over one is only looked up. */
  attempt?: OpenAttempt & { isLeftOver?: boolean };
  /** A refund of which nobody knows what became; its own workflow finds out. */
  uncertainId?: number;
  /** The return is parked, and this is why its money did not go back (spec 4.8: best effort). */
  refused?: Refusal;
  /** It was refused for its money: only somebody who asks goes on with it. */
  waitsForCaller?: true;
}

/** Who wants a creation to go on. */
export interface GoingOn {
  /** False: nobody at a counter, but a sweep or a run that begins again. */
  isAsked?: boolean | undefined;
  /** The way of a settlement that is asked for, in place of the one that the creation asked for and was refused. */
  instead?: SettleMethod | undefined;
}

/**
 * Carries out what `autoApprove` asked for (spec 3.2, 4.8): its money is judged, it is approved, its goods are received
 * by their condition, then it is parked, or its refund through the original gateway is opened.
 *
 * One transaction, safe to repeat: status, movement and attempt rows show what is done already. A refusal before the
 * goods are in leaves the return unchanged and held, with a comment that gives the reason, and is thrown. One that was
 * refused for its money goes on only for somebody who asks: nobody knows whether the goods are still at the counter. A
 * later refusal to refund leaves it parked.
 *
 * Refused with: 404 unknown return, and nothing else · 400 no place for the goods, money that cannot go back.
 */
export async function initialiseReturn(
  em: EntityManager,
  { returnId, seen, ...through }: { returnId: number; seen?: Seen | undefined } & ThroughGateway & GoingOn,
): Promise<Initialised> {
  const begun = await beginOrHold(em, { returnId, seen }, through);
  return begun.next === 'settle_without_money' ? settleWithoutMoney(em, { returnId, seen }) : begun.as;
}

interface Watched {
  returnId: number;
  seen?: Seen | undefined;
}

/** Its workflow follows it from now on, until it is over. */
function follow(rma: LockedReturn): void {
  if (isTerminal(rma.status)) rma.followedAt = null;
  else rma.followedAt ??= shopNow();
}

/** What a beginning leaves to do: nothing here any more, or a settlement that gives no money back. */
export type Begun = { next: 'answer'; as: Initialised } | { next: 'settle_without_money' };

const answer = (as: Initialised): Begun => ({ next: 'answer', as });

async function beginOrHold(em: EntityManager, { returnId, seen }: Watched, through: ThroughGateway & GoingOn) {
  try {
    return await withReturn(em, returnId, async (tx, locked) => {
      const begun = await startReturn(tx, { ...locked, through });
      follow(locked.rma);
      seen?.(locked);
      return begun;
    });
  } catch (error) {
    await recordHoldReason(em, returnId, error);
    throw error;
  }
}

export interface Beginning extends OrderAndReturn {
  through: ThroughGateway & GoingOn;
}

/**
 * Takes a return as far as its creation asked for, in the caller's transaction with order and return locked.
 *
 * Refused with: 400 money that cannot go back (`MoneyRefused`), no place for the goods.
 */
export async function startReturn(tx: EntityManager, { order, rma, through }: Beginning): Promise<Begun> {
  if (rma.isReady || isTerminal(rma.status)) return answer(await leftOver(tx, rma));
  if (rma.waitsForCaller && through.isAsked === false)
    return answer({ status: rma.status, isReady: false, waitsForCaller: true });
  const instead = rma.waitsForCaller ? through.instead : undefined;
  const method = instead ?? rma.requestedRefundMethod;
  if (rma.isAutoApproved && rma.status === 'pending' && method !== null)
    await judgeMoney(tx, { order, returnId: rma.returnId, items: itemsOf(rma), method, ...through });
  rma.waitsForCaller = false;
  if (rma.providerCode !== builtInCode && rma.providerReference === null)
    return answer({ status: rma.status, isReady: false, needsProvider: true });
  if (!rma.isAutoApproved) return answer(ready(rma, rma.status));
  if (rma.status === 'pending') {
    approveInFull(rma);
    await receiveGoods(tx, { order, rma });
  }
  if (method === null) return answer(ready(rma, 'items_received'));
  rma.refundMethod = method;
  // Whoever settles it in another way goes on from there.
  if (method !== 'original_payment' || instead !== undefined) return answer(ready(rma, 'awaiting_refund'));
  rma.status = 'awaiting_refund';
  const { canRefundThrough } = through;
  return openOrPark(tx, {
    rma,
    open: () => openRefundAttempt(tx, { order, rma, canRefundThrough, options: plainSettlement, takesUp: true }),
  });
}

/**
 * No gateway is needed where all is credit or it comes to zero: the return is settled at once, in a separate
 * transaction, so that a refusal leaves it parked with its goods received. When interrupted before that, it is not
 * ready and starts here again.
 */
export async function settleWithoutMoney(em: EntityManager, { returnId, seen }: Watched): Promise<Initialised> {
  try {
    return await withReturn(em, returnId, async (tx, { order, rma }) => {
      if (rma.isReady || isTerminal(rma.status)) {
        seen?.({ order, rma });
        return leftOver(tx, rma);
      }
      rma.isReady = true;
      const settlement = { returnId, method: 'original_payment', options: plainSettlement } as const;
      const settled = await settleLocked(tx, { order, rma, settlement });
      rma.followedAt = null;
      seen?.({ order, rma });
      return { ...settled, isReady: true };
    });
  } catch (error) {
    if (!(error instanceof PosError)) throw error;
    return withReturn(em, returnId, async (tx, locked) => {
      const parked = await park(tx, locked.rma, error);
      seen?.(locked);
      return parked;
    });
  }
}

/** An interrupted settle left an attempt: it is concluded before anything else. */
async function leftOver(em: EntityManager, rma: LockedReturn): Promise<Initialised> {
  const open = await findOpenAttempt(em, rma);
  return {
    status: rma.status,
    isReady: rma.isReady,
    ...(open?.state === 'started' ? { attempt: { ...asOpen(open, rma), isLeftOver: true } } : {}),
    ...(open?.state === 'uncertain' ? { uncertainId: open.attemptId } : {}),
  };
}

function ready(rma: LockedReturn, status: ReturnStatus): Initialised {
  rma.status = status;
  rma.isReady = true;
  return { status, isReady: true };
}

/** Best effort: received goods stay received, even when the money cannot go back this way. */
async function openOrPark(
  em: EntityManager,
  { rma, open }: { rma: LockedReturn; open: () => Promise<OpenAttempt | undefined> },
): Promise<Begun> {
  try {
    const attempt = await open();
    if (!attempt) return { next: 'settle_without_money' };
    return answer({ status: rma.status, isReady: false, attempt });
  } catch (error) {
    if (!(error instanceof PosError)) throw error;
    return answer(await park(em, rma, error));
  }
}

async function park(
  em: EntityManager,
  rma: LockedReturn,
  { message, parameters, refusal }: PosError,
): Promise<Initialised> {
  rma.isReady = true;
  await addReturnComment(em, { returnId: rma.returnId, comment: fillIn(message, parameters), status: rma.status });
  return { status: rma.status, isReady: true, refused: refusal };
}
