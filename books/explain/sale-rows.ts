import type { CreditRefundState } from '../../db/credits/credit.entity.ts';
import type { RefundCaseMeans } from '../../db/ops/ops.entity.ts';
import { merchantReference } from '../../db/refunds/merchant-reference.ts';
import type { CreditKind, CreditUse } from '../../domain/credits/applied-credit.ts';
import type { Refusal } from '../../domain/errors.ts';
import type { LayawayStatus } from '../../domain/layaways.ts';
import type { ShownOption } from '../../domain/platform/catalog/entered-options.ts';
import type { OrderState } from '../../domain/platform/order-state.ts';
import { isDecided, type RefundAttemptState } from '../../domain/refunds/refund-finding.ts';
import {
  canSettle,
  isTerminal,
  movesByHand,
  type ProcessStage,
  type ProcessState,
  type ReturnStatus,
} from '../../domain/returns/return-status.ts';
import type { StoryWords } from './english-story.ts';
import type { Way } from './story.ts';

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
  cases: CaseRow[];
  credits: CreditRow[];
  creditRefunds: CreditRefundRow[];
  points: PointsRow[];
  /** Null: the order is not a layaway. */
  layaway: LayawayRow | null;
  /** Null: nothing was sold on credit. */
  creditDue: string | null;
  /** Store credit that refunds promised and that is not issued yet; null: none. */
  promisedCredit: string | null;
  processes: ProcessRow[];
  audits: AuditRow[];
}

/** The rows, with the words of a language to tell them. */
export interface SaleReported extends SaleRows {
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

/** A refund that a person called "refunded", and that another word calls wrong. */
export interface CaseRow {
  caseId: number;
  attemptId: number;
  firstBy: string;
  firstNote: string | null;
  firstAt: string;
  secondBy: string;
  secondNote: string;
  amount: string;
  currency: string;
  means: RefundCaseMeans;
  at: string;
  closedBy: string | null;
  proof: string | null;
  closedAt: string | null;
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

/** Money of a sale that was refunded as credit. As decimal text. */
interface CreditRefundRow {
  refundId: number;
  kind: CreditKind;
  /** The full code: it must be masked before it is shown. */
  code: string | null;
  amount: string;
  state: CreditRefundState;
  message: string | null;
  at: string;
}

/** A collapsed return is its own workflow's work; one that finishes a return is that return's. */
export const workflowOfRun = ({ isFastTrack, returnId, orderId, requestKey }: ProcessRow): string =>
  isFastTrack && returnId !== null ? `return-${returnId}` : `process-${orderId}-${requestKey}`;

/**
 * The workflow that opens an attempt and calls the gateway: that of its collapsed return, else of its return. Null:
 * neither is known.
 */
export function workflowOfAttempt(
  { attemptId, returnId }: AttemptRow,
  processes: SaleRows['processes'],
): string | null {
  const run = processes.find((one) => one.attemptId === attemptId);
  if (run) return workflowOfRun(run);
  return returnId === null ? null : `return-${returnId}`;
}

/** The state of a layaway, and its cancellation. Money as decimal text. */
export interface LayawayRow {
  status: LayawayStatus;
  balanceOwed: string;
  depositAmount: string | null;
  depositMethod: string | null;
  expiresAt: string | null;
  /** The day on which it expires, in the time zone of the order's website. */
  lastDay: string | null;
  followedAt: string | null;
  cancellation: {
    feePercent: string;
    fee: string;
    refund: string;
    refundMethod: string | null;
    reason: string | null;
    creditMemoId: number | null;
    at: string;
  } | null;
}

/** A collapsed return as it is written down. */
export interface ProcessRow {
  processId: number;
  orderId: number;
  requestKey: string;
  returnId: number | null;
  attemptId: number | null;
  isFastTrack: boolean;
  resolution: string;
  isOnline: boolean;
  state: ProcessState;
  stage: ProcessStage;
  providerCode: string | null;
  storeCredit: string;
  exchangeCredit: string;
  refusal: Refusal | null;
  author: string | null;
  at: string;
  updatedAt: string;
}

/** Credit spent on a sale, and the part that came back. Money as decimal text. */
export interface CreditRow {
  creditId: number;
  kind: CreditKind;
  appliesAs: CreditUse;
  /** The full code: it must be masked before it is shown. */
  code: string | null;
  amount: string;
  points: number | null;
  amountReturned: string;
  amountReserved: string;
  /** For credit kept outside: its provider, and the provider's reference. */
  keptBy: string | null;
  keeperNumber: string | null;
  returns: {
    creditMemoId: number | null;
    amount: string;
    points: number | null;
    state: 'booked' | 'pending';
    at: string;
  }[];
}

const verbs = ['approve', 'receive', 'settle', 'cancel-refund', 'resolve', 'close'] as const;
type Verb = (typeof verbs)[number];

/** The verbs that lead from a status; every open status has at least one (spec 3.2). */
const verbsFrom = (status: ReturnStatus): Verb[] =>
  verbs.filter((verb) => {
    if (verb === 'approve') return movesByHand[status].includes('approved');
    if (verb === 'receive') return status === 'approved';
    if (verb === 'settle') return canSettle(status);
    if (verb === 'cancel-refund') return status === 'awaiting_refund';
    return verb === 'close' || (canSettle(status) && status !== 'awaiting_refund');
  });

/** The money of an open case is still to be handed back. */
export const waysOnForCases = (
  { cases, w }: Pick<SaleReported, 'cases' | 'w'>,
  isAbout: (one: CaseRow) => boolean = () => true,
): Way[] =>
  cases
    .filter((one) => one.closedAt === null && isAbout(one))
    .map(({ caseId: id, amount, currency, means }) =>
      w.ways.closeCase({ id, amount: w.amount(amount, currency), means }),
    );

/** What can be done about a return; an uncertain refund comes first. */
export function waysOnForReturn(
  rma: ReturnRow,
  rows: Pick<SaleReported, 'attempts' | 'cases' | 'processes' | 'w'>,
): Way[] {
  const { attempts, w } = rows;
  const undecided = attempts.find((attempt) => attempt.returnId === rma.returnId && !isDecided(attempt.state));
  if (undecided) return waysOnForAttempt(undecided, rows);
  const ofReturn = new Set(attempts.filter(({ returnId }) => returnId === rma.returnId).map((one) => one.attemptId));
  const cases = waysOnForCases(rows, ({ attemptId }) => ofReturn.has(attemptId));
  if (isTerminal(rma.status)) return cases.length > 0 ? cases : [w.ways.isOver];
  const waysInWords = (verbs: readonly Verb[]) => verbs.map((verb) => w.ways[verb](rma.returnId));
  return rma.isReady ? waysInWords(verbsFrom(rma.status)) : [w.ways.notReady, ...waysInWords(['close'])];
}

/** What can be done about one attempt. */
export function waysOnForAttempt(attempt: AttemptRow, rows: Pick<SaleReported, 'cases' | 'processes' | 'w'>): Way[] {
  const { processes, w } = rows;
  const { attemptId, state, returnId, cannotBeAsked } = attempt;
  const workflow = workflowOfAttempt(attempt, processes);
  switch (state) {
    case 'booked': {
      const cases = waysOnForCases(rows, (one) => one.attemptId === attemptId);
      return cases.length > 0 ? cases : [w.ways.isBooked];
    }
    case 'failed':
      return [w.ways.tryAgain(returnId)];
    case 'started':
      return [w.ways.wait, ...(workflow === null ? [] : [w.ways.seeWorkflow(workflow)])];
    case 'uncertain':
      return [
        cannotBeAsked ? w.ways.lookInPortal(merchantReference(attempt)) : w.ways.askAgain(attemptId),
        w.ways.ifItWent(attemptId),
        w.ways.ifItDidNot(attemptId),
        w.ways.untilThen(returnId, !cannotBeAsked),
      ];
  }
}
