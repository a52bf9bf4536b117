import type { ShownOption } from '../../domain/platform/catalog/option-figures.ts';
import type { CreditRow } from './credit-row.ts';
import type { CreditRefundRow } from './credit-refund-row.ts';
import type { StoryWords } from './english-story.ts';
import type { LayawayRow } from './layaway-row.ts';
import type { RefundAttemptState } from '../../domain/refunds/refund-attempt-state.ts';
import type { OrderState } from '../../domain/platform/order-state.ts';
import type { ProcessRow } from './process-row.ts';
import type { ReturnStatus } from '../../domain/returns/return-status.ts';

/** All rows of one sale. Money and quantities are decimal text, times ISO 8601 in UTC. */
export interface SaleRows {
  order: OrderRow;
  lines: LineRow[];
  invoices: InvoiceRow[];
  payments: PaymentRow[];
  shipments: ShipmentRow[];
  memos: MemoRow[];
  comments: CommentRow[];
  receipts: ReceiptRow[];
  returns: ReturnRow[];
  attempts: AttemptRow[];
  credits: CreditRow[];
  creditRefunds: CreditRefundRow[];
  points: PointsRow[];
  /** Null: the order is not a layaway. */
  layaway: LayawayRow | null;
  /** Null: nothing was sold on credit. */
  creditDue: string | null;
  processes: ProcessRow[];
  audits: AuditRow[];
}

/** The rows, with the words of a language to tell them. */
export interface SaleTold extends SaleRows {
  w: StoryWords;
}

/** Points that a sale earned, and those taken back. Points spent on it appear as credits. */
export interface PointsRow {
  kind: 'earned' | 'voided';
  /** Below zero where they were taken back. */
  delta: number;
  at: string;
}

export interface OrderRow {
  orderId: number;
  incrementId: string;
  state: OrderState;
  status: string;
  isVirtual: boolean;
  currency: string;
  baseCurrency: string;
  at: string;
  posSaleId: string | null;
  paymentMethod: string | null;
  paymentReference: string | null;
  grandTotal: string;
  totalPaid: string;
  totalDue: string;
  totalRefunded: string;
  returnedWithoutMemo: string;
  basePendingRefund: string;
  storeId: number;
}

export interface LineRow {
  orderItemId: number;
  sku: string;
  name: string | null;
  /** What was entered for its custom options. */
  options: readonly ShownOption[];
  isVirtual: boolean;
  isQtyDecimal: boolean;
  qtyOrdered: string;
  qtyInvoiced: string;
  qtyShipped: string;
  qtyRefunded: string;
  qtyCanceled: string;
}

export interface InvoiceRow {
  invoiceId: number;
  incrementId: string;
  state: number;
  grandTotal: string;
  at: string;
}

export interface PaymentRow {
  kind: string;
  reference: string | null;
  method: string | null;
  amount: string;
  at: string;
}

export interface ShipmentRow {
  incrementId: string;
  sourceCode: string;
  lines: { sku: string; qty: string }[];
  at: string;
}

export interface MemoRow {
  creditMemoId: number;
  incrementId: string;
  isOnline: boolean;
  attemptId: number | null;
  returnId: number | null;
  grandTotal: string;
  subtotal: string;
  discount: string;
  shipping: string;
  tax: string;
  adjustment: string;
  lines: { sku: string; qty: string }[];
  at: string;
}

export interface CommentRow {
  comment: string;
  status: string | null;
  at: string;
}

export interface ReceiptRow {
  receiptId: number;
  staffName: string | null;
  terminalName: string | null;
  locationName: string | null;
  at: string;
}

export interface ReturnRow {
  returnId: number;
  incrementId: string;
  status: ReturnStatus;
  isReady: boolean;
  isAutoApproved: boolean;
  posSaleId: string | null;
  refundMethod: string | null;
  creditMemoId: number | null;
  refundDifference: string | null;
  locationName: string | null;
  lines: { sku: string; name: string | null; qty: string; reason: string | null; resolution: string | null }[];
  movements: MovementRow[];
  comments: (CommentRow & { author: string | null })[];
  at: string;
  updatedAt: string;
}

export interface MovementRow {
  kind: string;
  sku: string;
  qty: string;
  sourceCode: string | null;
  inspectedCondition: string | null;
  at: string;
}

export interface AttemptRow {
  attemptId: number;
  /** Its gateway keeps no records to ask for: only a person can find out. */
  cannotBeAsked?: true;
  returnId: number | null;
  state: RefundAttemptState;
  paymentMethod: string;
  amount: string;
  /** The part of the refund that is given back as credit. */
  credited: string;
  currency: string;
  idempotencyKey: string;
  nameTail: string;
  gatewayOutcome: string | null;
  gatewayReference: string | null;
  message: string | null;
  resolvedBy: string | null;
  resolutionNote: string | null;
  callStartedAt: string | null;
  callDeadline: string | null;
  at: string;
  updatedAt: string;
}

export interface AuditRow {
  returnId: number;
  fieldName: string;
  oldValue: string | null;
  newValue: string | null;
  changeSource: string;
  staffName: string | null;
  terminalName: string | null;
  at: string;
}
