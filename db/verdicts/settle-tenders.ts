import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { handbackOf, type CreditLeg } from '../../domain/credits/applied-credit.ts';
import { add, coinsOf, subtract, toPlain, zero, type InBoth } from '../../domain/money.ts';
import type { CreditMemoFigures } from '../../domain/platform/credit-memos/credit-memo-figures.ts';
import type { ExpectedLeg, SettlementOptions } from '../../domain/refunds/quote-refund.ts';
import { methodBesideTenders, settlementFixed } from '../../domain/refusals/tenders.ts';
import { declinedLine, refundRefused } from '../../domain/refunds/refund-finding.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import type { RequestedTender, SettleMethod } from '../../domain/returns/resolution.ts';
import { methodOfLargest, settleLines, type SettleLine } from '../../domain/tenders/settle-lines.ts';
import { inBase } from '../../domain/tenders/tender-lines.ts';
import { goodsOf } from '../credits/give-credits-back.ts';
import { reserveLegs } from '../credits/reserve-legs.ts';
import { withPendingMemo } from '../platform/credit-memos/pending-memos.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import { findOpenAttempt, lockRefundAttempt, type AttemptRow } from '../refunds/refund-attempt.repository.ts';
import {
  asOpen,
  insertAttempt,
  planOf,
  quoteRefund,
  refuseReferenceInUse,
  uncertainty,
  type OpenAttempt,
} from '../refunds/refund-intent.ts';
import type { ThroughGateway } from '../refunds/through-gateway.ts';
import { outsideName } from '../installation/outside-name.ts';
import { changeReturn, type LockedReturn, type OperationOnReturn } from '../returns/lock-return.ts';
import { recordSettleRefusal, refuseUnlessSettleable, type Settling } from '../returns/settle-return.ts';
import { shopNow } from '../support/shop-clock.ts';
import { sql } from '../support/sql.ts';
import { insertRows, into } from '../support/write-rows.ts';
import { bookTenders } from './book-tenders.ts';
import { readTenders } from '../tenders/read-tenders.ts';
import { ReturnTender } from '../tenders/return-tender.entity.ts';
import { refuseOtherLines } from '../tenders/refuse-other-lines.ts';
import { deleteOpenTenders, isRefunded, readTenderRows, type TenderRow } from '../tenders/return-tenders.ts';

export interface TenderSettlement extends ThroughGateway, OperationOnReturn {
  tenders: readonly RequestedTender[];
  /** Sent besides the lines: it must be the method of the largest. */
  method?: SettleMethod | undefined;
  options: SettlementOptions;
  expectedLegs?: readonly ExpectedLeg[];
}

/**
 * One step of a settlement by several tenders (our choice), in one transaction: it writes the lines, and either opens
 * the refund attempt of the next line by a gateway, before that is called, or books the memo of all lines.
 *
 * The workflow repeats the step after each line that went back. Cash is booked by the last step alone, and never after
 * `beginBefore`: no register waits for it then. The first attempt reserves the whole memo and fixes its figures until
 * the memo is booked or every called line was declined. A terminal's reference is recorded as refunded with the lines.
 *
 * Safe to repeat under its key: an attempt that it opened is answered, a line that was declined is refused again. A
 * return that the same lines settled is answered unchanged.
 *
 * Refused with: 404 unknown return · 400 wrong status, lines that do not fit (`settleLines`), `settlement_fixed`,
 * `reference_in_use`, nothing left · 409 `gateway_uncertain`, `settled_otherwise` · 503 too late.
 */
export async function settleByTenders(em: EntityManager, settlement: TenderSettlement): Promise<Settling> {
  try {
    return await changeReturn(em, settlement, async (tx, { order, rma, refuseLate, opened }) => {
      const rows = rma.hasTenders ? await readTenderRows(tx, rma.returnId) : [];
      if (isTerminal(rma.status)) {
        await refuseOtherLines(tx, rma, settlement.tenders);
        return { status: rma.status };
      }
      refuseUnlessSettleable(rma);
      const before = await ofSameRequest(tx, { rma, rows, settlement });
      if (before) return before;
      refuseLate();
      const settled = await settleStep(tx, { order, rma, rows, settlement });
      if (settled.attempt) opened(settled.attempt.attemptId);
      return settled;
    });
  } catch (error) {
    await recordSettleRefusal(em, settlement.returnId, error);
    throw error;
  }
}

interface Step {
  order: LockedOrder;
  rma: LockedReturn;
  rows: readonly TenderRow[];
  settlement: TenderSettlement;
}

/**
 * What the request has done already: an attempt that it opened, or a line that was declined. Refused with: 409
 * `gateway_uncertain` for an attempt of another request, and for one that is uncertain.
 */
async function ofSameRequest(
  em: EntityManager,
  { rma, rows, settlement }: Omit<Step, 'order'>,
): Promise<Settling | undefined> {
  const { returnId, orderId, status } = rma;
  const open = await findOpenAttempt(em, { orderId, returnId });
  const isOwn = ({ requestKey }: TenderRow) => requestKey === settlement.operationKey;
  if (open) {
    const row = rows.find(({ attemptId }) => attemptId === open.attemptId);
    if (open.state === 'started' && row && isOwn(row)) return { status, attempt: asOpen(open, rma) };
    throw uncertainty(open);
  }
  const declined = rows.find((row) => row.state === 'declined' && isOwn(row));
  if (declined === undefined || declined.attemptId === null) return undefined;
  const { attemptId, message } = declined;
  return { status, refused: declinedLine(refundRefused({ attemptId, returnId, message })) };
}

/** The figures of the memo, fixed by the first line's attempt, or quoted now. */
interface Figures {
  refund: InBoth;
  handback: InBoth;
  legs: readonly CreditLeg[];
  /** Absent: they are fixed, and reserved by `head`. */
  quoted?: CreditMemoFigures;
  head?: AttemptRow;
}

async function settleStep(em: EntityManager, step: Step): Promise<Settling> {
  const { order, rma, settlement } = step;
  const figures = await figuresOf(em, step);
  const { canRefundThrough, options } = settlement;
  const { entityId: orderId, orderCurrencyCode: currencyCode } = order;
  const tenders = await readTenders(em, { orderId, canRefundThrough, exceptReturn: rma.returnId });
  const lines = settleLines({
    requested: settlement.tenders,
    tenders,
    extra: step.rows.filter(({ source }) => source === 'settle'),
    handback: figures.handback.order,
    currencyCode,
  });
  refuseOtherMethod(settlement, lines);
  const rows = await writeLines(em, { ...step, figures, lines });
  rma.hasTenders = true;
  rma.status = 'awaiting_refund';
  const next = rows.find((row) => row.method === 'original_payment' && !isRefunded(row));
  if (next) return { status: rma.status, attempt: await openLine(em, { ...step, rows, figures, next }) };
  rma.isReady = true;
  const { expectedLegs, operationKey } = settlement;
  return bookTenders(em, { order, rma, rows, options, expectedLegs, requestId: operationKey });
}

function refuseOtherMethod({ method }: TenderSettlement, lines: readonly SettleLine[]): void {
  const largest = methodOfLargest(lines);
  if (method !== undefined && method !== largest) throw methodBesideTenders({ method: largest });
}

/** Refused with: 400 `settlement_fixed` where a line went back and the options differ. */
async function figuresOf(em: EntityManager, { order, rma, rows, settlement }: Step): Promise<Figures> {
  const { options } = settlement;
  const head = await headOf(em, rows);
  if (head === undefined) {
    const { figures: quoted, ...split } = await quoteRefund(em, { order, rma, options });
    return { ...split, quoted };
  }
  const { plan } = head;
  const isSame = (['adjustmentPositive', 'adjustmentNegative', 'shippingAmount'] as const).every(
    (name) => (plan[name] ?? zero) === (options[name] ?? zero),
  );
  if (!isSame) throw fixedBy(rows.find(isRefunded));
  const refund = { base: add(head.baseAmount, head.baseCredited), order: add(head.amount, head.credited) };
  const legs = plan.legs ?? [];
  return { refund, legs, handback: handbackOf(refund, legs, coinsOf(order)), head };
}

const fixedBy = (row: TenderRow | undefined) =>
  settlementFixed({ line_id: row?.lineId ?? null, amount: row ? toPlain(row.amount) : '0' });

/** The attempt that reserves the memo; undefined while no line of a gateway went back. */
async function headOf(em: EntityManager, rows: readonly TenderRow[]): Promise<AttemptRow | undefined> {
  for (const { attemptId } of rows.filter(isRefunded)) {
    if (attemptId === null) continue;
    const attempt = await lockRefundAttempt(em, attemptId);
    if (attempt.headAttemptId === null) return attempt;
  }
  return undefined;
}

/**
 * Writes the lines of the settle in place of those that did not go back; the last of them takes the remainder in the
 * base currency.
 *
 * Refused with: 400 `settlement_fixed` where a line that went back is missing or differs · 400 `reference_in_use`.
 */
async function writeLines(
  em: EntityManager,
  { order, rma, rows, settlement, figures, lines }: Step & { figures: Figures; lines: readonly SettleLine[] },
): Promise<TenderRow[]> {
  const { returnId } = rma;
  const { entityId: orderId, baseCurrencyCode } = order;
  const gone = rows.filter(isRefunded);
  for (const row of gone) {
    const line = lines.find(({ lineId }) => lineId === row.lineId);
    const isSame =
      line?.amount === row.amount && line.method === row.method && (line.reference ?? row.reference) === row.reference;
    if (!isSame) throw fixedBy(row);
  }
  const others = lines.filter(({ lineId }) => !gone.some((row) => row.lineId === lineId));
  for (const { reference } of others) {
    if (reference !== null) await refuseReferenceInUse(em, { orderId, returnId, reference });
  }
  const left = subtract(figures.handback.base, ...gone.map(({ baseAmount }) => baseAmount));
  const bases = inBase(
    others.map(({ amount }) => amount),
    left,
    baseCurrencyCode,
  );
  await deleteOpenTenders(em, returnId);
  const now = shopNow();
  const requestKey = settlement.operationKey ?? '';
  await insertRows(em, [
    into(
      ReturnTender,
      others.map(({ paid, ...line }, index) => ({
        ...line,
        ...{ returnId, orderId, paid: paid.order, basePaid: paid.base, baseAmount: bases[index] ?? zero },
        // Money that a terminal gave back before is recorded in every outcome.
        state: line.reference === null ? ('open' as const) : ('refunded' as const),
        ...{ requestKey, createdAt: now, updatedAt: now },
      })),
    ),
  ]);
  return readTenderRows(em, returnId);
}

interface LineToOpen extends Step {
  figures: Figures;
  next: TenderRow;
}

/** Records the attempt of a line before its gateway is called; the first one reserves the whole memo. */
async function openLine(
  em: EntityManager,
  { order, rma, settlement, figures, next }: LineToOpen,
): Promise<OpenAttempt> {
  const { returnId } = rma;
  const { head, quoted, refund, legs } = figures;
  const { entityId: orderId } = order;
  const isHead = head === undefined;
  const generation = (await generationOf.first(em, { returnId, paymentReference: next.paymentId }))?.generation ?? 1;
  const attempt = await insertAttempt(em, {
    ...{ orderId, returnId, lineId: next.lineId, headAttemptId: head?.attemptId ?? null },
    ...{ paymentMethod: next.paymentMethod, paymentReference: next.paymentId },
    ...{ channel: 'original', state: 'started', baseAmount: next.baseAmount, amount: next.amount },
    baseCredited: isHead ? subtract(refund.base, next.baseAmount) : zero,
    credited: isHead ? subtract(refund.order, next.amount) : zero,
    currencyCode: order.orderCurrencyCode,
    idempotencyKey: keyOf(rma, next, generation),
    plan: {
      ...planOf(rma, settlement.options),
      ...(isHead ? { baseGoods: quoted ? goodsOf(quoted) : zero, legs: [...legs] } : { baseGoods: zero, legs: [] }),
      ...(settlement.expectedLegs === undefined ? {} : { expectedLegs: [...settlement.expectedLegs] }),
    },
  });
  if (isHead && quoted) {
    order.basePendingRefund = add(order.basePendingRefund, refund.base);
    order.pendingMemos = withPendingMemo(order, { refundAttemptId: attempt.attemptId, figures: quoted });
    await reserveLegs(em, { orderId, legs });
  }
  await startLine.run(em, { tenderId: next.tenderId, attemptId: attempt.attemptId });
  return asOpen(attempt, rma);
}

const startLine = sql('settle-tenders.startLine')`
  update sale_return_tender set state = 'started', attempt_id = $attemptId, updated_at = now()
  where tender_id = $tenderId`;

/** A payment's intent ends with a definite refusal of it alone: the next refund needs another key. */
const generationOf = sql('settle-tenders.generationOf')`
  select count(*) + 1 as generation from refund_attempt
  where return_id = $returnId and line_id is not null and payment_reference is not distinct from $paymentReference?::text
    and ends_intent`;

/** Return, payment, amount and generation; two cards of equal amounts have two keys. */
const keyOf = (
  { returnId, nameTail }: LockedReturn,
  { paymentId, amount, lineId }: TenderRow,
  generation: number,
): string => {
  const name = [outsideName(`return-${returnId}`, nameTail), paymentId ?? `line ${lineId}`, amount, generation];
  return `t-${hash('sha256', JSON.stringify(name), 'base64url')}`.slice(0, 45);
};
