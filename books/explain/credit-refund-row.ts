import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import type { CreditRefundState } from '../../db/credits/credit-refund.entity.ts';

/** Money of a sale that was refunded as credit. As decimal text. */
export interface CreditRefundRow {
  refundId: number;
  kind: CreditKind;
  /** The full code: it must be masked before it is shown. */
  code: string | null;
  amount: string;
  state: CreditRefundState;
  message: string | null;
  at: string;
}
