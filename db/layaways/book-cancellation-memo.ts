import type { EntityManager } from '@mikro-orm/postgresql';
import type { Cancellation } from '../../domain/layaways/cancellation.ts';
import { zero } from '../../domain/money/amount.ts';
import { none } from '../../domain/money/quantity.ts';
import { bookCreditMemo, type BookedMemo } from '../platform/credit-memos/book-credit-memo.ts';
import { type LockedOrder } from '../platform/orders/lock-order.ts';

const nothing = { base: zero, order: zero };

/**
 * Books what a cancelled layaway gives back: a positive adjustment, no goods and no shipping (platform facts 7.7). Each line
 * is named with quantity zero: a memo that names none would take all goods. A memo of nothing, where the fee takes all, is
 * booked too (our choice): it says that the deposit was dealt with.
 *
 * No goods move; the reservations are given back by the order's cancellation. In the caller's transaction, under the order
 * lock.
 */
export const bookCancellationMemo = (
  em: EntityManager,
  { order, refund }: { order: LockedOrder } & Pick<Cancellation, 'refund'>,
): Promise<BookedMemo> =>
  bookCreditMemo(em, {
    order,
    request: {
      items: order.lines
        .filter((line) => line.parentItemId == null)
        .map(({ itemId }) => ({ orderItemId: itemId, qty: none })),
      shipping: nothing,
      adjustmentPositive: refund,
      adjustmentNegative: nothing,
    },
    isOnline: false,
    movesStock: false,
  });
