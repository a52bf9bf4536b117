import type { EntityManager } from '@mikro-orm/postgresql';
import { PosError } from '../../domain/errors.ts';
import type { ThroughGateway } from '../refunds/through-gateway.ts';
import { MoneyRefused } from '../refunds/refundable-money.ts';
import { transact } from '../support/transact.ts';
import { addReturnComment } from './add-return-comment.ts';
import {
  createUnderLock,
  orReused,
  initialiseReturn,
  settleWithoutMoney,
  startReturn,
  type Initialised,
} from './create-return.ts';
import { lockReturn, saveReturn, type Seen } from './lock-return.ts';
import type { CreatedReturn, NewReturn } from './sold-order.ts';
import { whyHeld } from './record-hold-reason.ts';
import { findReturn } from './return.repository.ts';

/** A return that stands, and what its creation leaves to be done. */
export interface OpenedReturn extends CreatedReturn {
  begun: Initialised;
}

/**
 * Records a return, with the register's sale id, and does what `autoApprove` asks for, in one transaction under the
 * order lock (spec 4.8): it is approved, its goods are taken in, and it is parked, or its refund is written down. What
 * an outside provider must be asked first stays to be done.
 *
 * Safe to repeat: a return with this id is taken up where it stands. With a sale id the first return of the sale is
 * answered, `isReused`.
 *
 * Best effort: where its money is known not to go back, or its goods cannot be taken in, the return stands as held, no
 * goods moved, with a comment that gives the reason, and `begun.refused` has the refusal. Money that is refused only
 * when it is asked for leaves it parked.
 *
 * Refused with: 404 unknown order, unknown location · 400 unknown source, a part of a whole piece · 400
 * `return_not_eligible` · 409 `sale_return_conflict` · 503 too late. Nothing is written then.
 */
export async function openReturn(em: EntityManager, requested: NewReturn & ThroughGateway): Promise<OpenedReturn> {
  const created = await orReused(em, requested, async () => {
    try {
      return await openInOne(em, requested);
    } catch (error) {
      if (!(error instanceof CannotBegin)) throw error;
      return openHeld(em, requested, error.refused);
    }
  });
  if ('begun' in created) return created;
  const { returnId } = created;
  // The sale has another return: its own workflow finishes that one.
  if (returnId !== requested.numbers?.returnId) {
    const { status, isReady } = await findReturn(em, returnId);
    return { ...created, begun: { status, isReady } };
  }
  return { ...created, isReused: false, begun: await takeUp(em, { returnId, ...requested }) };
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

async function openInOne(em: EntityManager, requested: NewReturn & ThroughGateway): Promise<Opened> {
  const { canRefundThrough } = requested;
  const { created, begun } = await transact(em, async (tx) => {
    const made = await createUnderLock(tx, requested);
    if (made.isReused || made.isReady) return { created: made, begun: undefined };
    const locked = await lockReturn(tx, made.returnId);
    const next = await startReturn(tx, { ...locked, through: { canRefundThrough } }).catch((error: unknown) => {
      throw error instanceof PosError ? new CannotBegin(error) : error;
    });
    await saveReturn(tx, locked);
    requested.seen?.(locked);
    return { created: made, begun: next };
  });
  if (created.isReused) return created;
  if (begun === undefined) return { ...created, begun: { status: 'pending', isReady: true } };
  return {
    ...created,
    begun:
      begun.next === 'answer'
        ? begun.as
        : await settleWithoutMoney(em, { returnId: created.returnId, seen: requested.seen }),
  };
}

function openHeld(em: EntityManager, requested: NewReturn, refused: PosError): Promise<Opened> {
  return transact(em, async (tx) => {
    const created = await createUnderLock(tx, { ...requested, waitsForCaller: refused instanceof MoneyRefused });
    if (created.isReused) return created;
    const { returnId } = created;
    await addReturnComment(tx, { returnId, comment: whyHeld(refused), status: 'pending' });
    return { ...created, begun: { status: 'pending' as const, isReady: false, refused: refused.refusal } };
  });
}
