import type { EntityManager } from '@mikro-orm/postgresql';
import { PosError } from '../../domain/errors.ts';
import { fillIn } from '../../domain/fill-in.ts';
import { builtInCode } from '../../domain/returns/built-in-code.ts';
import type { SettleMethod } from '../../domain/returns/refund-method.ts';
import type { ReturnStatus } from '../../domain/returns/return-status.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { plainSettlement } from '../../domain/refunds/quote-refund.ts';
import { judgeMoney } from '../refunds/judge-money.ts';
import { asOpen, itemsOf, openRefundAttempt, type OpenAttempt } from '../refunds/open-refund-attempt.ts';
import type { ThroughGateway } from '../refunds/through-gateway.ts';
import { findOpenAttempt } from '../refunds/refund-attempt.repository.ts';
import { addReturnComment } from './add-return-comment.ts';
import { approveInFull } from './approve-in-full.ts';
import { settleLocked } from './book-settlement.ts';
import { receiveGoods } from './receive-goods.ts';
import { withReturn, type LockedReturn, type OrderAndReturn, type Seen } from './lock-return.ts';
import { recordHoldReason } from './record-hold-reason.ts';
import type { Refusal } from '../../domain/errors.ts';
import { shopNow } from '../support/shop-clock.ts';

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
