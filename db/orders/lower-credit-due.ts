import { zero } from '../../domain/money.ts';
import { moneyLeft } from '../../domain/platform/placement.ts';
import { creditDueAfterMemo, dueFellComment } from '../../domain/orders.ts';
import type { MemoHook } from '../platform/credit-memos/book-credit-memo.ts';
import { addOrderComment } from '../platform/orders/add-order-comment.ts';

/** Goods that came back before they were paid are due no more: see `creditDueAfterMemo`. The history tells it. */
export const lowerCreditDue: MemoHook = (em, { order, figures }) => {
  const { entityId: orderId, status, orderCurrencyCode: currencyCode } = order;
  const before = order.posCreditDue ?? zero;
  const after = creditDueAfterMemo({ creditDue: before, moneyLeft: moneyLeft(order), memo: figures.order });
  if (after === before) return Promise.resolve(() => Promise.resolve());
  order.posCreditDue = after;
  return Promise.resolve(({ incrementId: memoNumber }) =>
    addOrderComment(em, { orderId, status, comment: dueFellComment({ before, after, memoNumber, currencyCode }) }),
  );
};
