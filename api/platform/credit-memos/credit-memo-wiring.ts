import type { RefundHooks } from '../../../db/platform/credit-memos/refund-order.ts';
import type { MailDocument } from '../../http/mail-document-route.ts';
import type { RefundOnline } from '../../http/refund-online.ts';
import type { Caller } from '../../http/route.ts';

/** What refunds call of the point of sale and of the gateways. */
export interface CreditMemoWiring {
  hooksFor: (caller: Caller) => RefundHooks;
  refundOnline: RefundOnline;
  mailDocument: MailDocument;
}
