import type { AnyRoute } from '../../http/route.ts';
import { cancelCreditMemo } from './cancel-credit-memo.ts';
import { commentCreditMemo } from './comment-credit-memo.ts';
import { getCreditMemo } from './get-credit-memo.ts';
import { listCreditMemoComments } from './list-credit-memo-comments.ts';
import { listCreditMemos } from './list-credit-memos.ts';
import { refundInvoiceRoute } from './refund-invoice.ts';
import { refundOrderRoute } from './refund-order.ts';
import { refundWithTotalsRoute } from './refund-with-totals.ts';
import { saveCreditMemoRoute } from './save-credit-memo.ts';
import type { CreditMemoWiring } from './credit-memo-wiring.ts';

/** Every route of credit memos, except their mail. */
export const creditMemoRoutes = (wiring: CreditMemoWiring): readonly AnyRoute[] => [
  refundOrderRoute(wiring),
  refundInvoiceRoute(wiring),
  saveCreditMemoRoute,
  refundWithTotalsRoute(wiring),
  listCreditMemos,
  getCreditMemo,
  listCreditMemoComments,
  commentCreditMemo,
  cancelCreditMemo,
];
