import type { Quantity } from '../../domain/money/quantity.ts';
import type { VendorVerdict } from '../../domain/returns/eligibility.ts';
import type { SettleMethod } from '../../domain/returns/refund-method.ts';
import type { Seen } from './lock-return.ts';
import type { ReturnRecord } from './return.repository.ts';

/** A row of goods that a caller wants to bring back. */
export interface WantedItem {
  orderItemId: number;
  qtyRequested: Quantity;
  reason: string | null;
  condition: string | null;
  resolution: string | null;
  /** The provider's id of the resolution; absent: its label. */
  resolutionId?: string | null;
  /** Null: not inspected; goods received at once go where their condition sends them. */
  inspectedCondition: 'pristine' | 'damaged' | 'dispose' | null;
  returnToStock: boolean;
  qtyReceived: Quantity | null;
  targetSourceCode: string | null;
}

/** A return as it is created. */
export interface NewReturn {
  orderId: number;
  customerId: number | null;
  locationId: number | null;
  items: readonly WantedItem[];
  comment: string | null;
  isAutoApproved: boolean;
  refundMethod: SettleMethod | null;
  posSaleId: string | null;
  /** The returns provider for which it is created; absent: the built-in one, which accepts everything. */
  provider?: ProviderSays;
  /** Every provider of the store: when the first passes, a later one takes the return. Absent: the first one only. */
  providerCodes?: readonly string[];
  /** Its id and its number, drawn before; absent: they are drawn in the transaction. */
  numbers?: ReturnNumbers;
  /** Until then its creation may begin, by the database's clock. Absent: at any time. */
  beginBefore?: string | undefined;
  /** Of the comment. */
  author?: string | null;
  /** Its money was refused: see the column. */
  waitsForCaller?: boolean;
  /** Called with the rows as the transaction leaves them, where it read them. */
  seen?: Seen | undefined;
}

/** The id and the human number of a return. Both come from sequences, so gaps are fine. */
export interface ReturnNumbers {
  returnId: number;
  incrementId: string;
}

/** The active returns provider's answers from before the locks. */
export interface ProviderSays {
  code: string;
  /** Every resolution of the provider. */
  resolutionIds: readonly string[];
  verdict: VendorVerdict;
}

/** What its workflow starts with, and what people find it by. */
export interface CreatedReturn extends Pick<
  ReturnRecord,
  | 'returnId'
  | 'incrementId'
  | 'orderId'
  | 'orderIncrementId'
  | 'locationId'
  | 'requestedRefundMethod'
  | 'providerCode'
  | 'isReady'
> {
  isReused: boolean;
}
