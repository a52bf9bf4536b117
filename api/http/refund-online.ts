import type { WantedMemo } from '../../db/platform/credit-memos/wanted-figures.ts';
import type { DocumentRemark } from '../../db/platform/orders/add-document-comment.ts';
import type { RouteContext } from './route.ts';

/** A refund of one invoice through the gateway that took its money: plain data, because a worker carries it out. */
export interface OnlineRefund extends WantedMemo {
  orderId: number;
  comment: DocumentRemark | undefined;
}

/** Has the money given back once and the memo booked. Returns the memo's id. Registered in the wiring. */
export type RefundOnline = (refund: OnlineRefund, around: RouteContext) => Promise<number>;
