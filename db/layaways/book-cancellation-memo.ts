import type { EntityManager } from '@mikro-orm/postgresql';
import type { Cancellation } from '../../domain/layaways/cancellation.ts';
import { zero } from '../../domain/money/amount.ts';
import { none } from '../../domain/money/quantity.ts';
import { bookCreditMemo, type BookedMemo } from '../platform/credit-memos/book-credit-memo.ts';
import { type LockedOrder } from '../platform/orders/lock-order.ts';

const nothing = { base: zero, order: zero };

/**
 * Books the refund of a cancelled layaway: a positive adjustment, no goods and no shipping (platform facts 7.7).
 * Every line is named with quantity zero, because a memo without lines would take all goods. A memo of zero, where
 * the fee takes all, is booked too (our choice): it records what became of the deposit.
 *
 * No goods move; the order's cancellation releases the reservations. In the caller's transaction, under the order
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
