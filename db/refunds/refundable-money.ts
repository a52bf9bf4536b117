import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, PosError } from '../../domain/errors.ts';
import {
  coinOf,
  greatest,
  isPositive,
  least,
  minus,
  subtract,
  toCoins,
  toPlain,
  zero,
  type Amount,
  type Quantity,
} from '../../domain/money.ts';
import { afterPendingMemos } from '../../domain/platform/credit-memos/credit-memo-coins.ts';
import type { RefundableLine, CreditMemoFigures } from '../../domain/platform/credit-memos/credit-memo-figures.ts';
import { memoRequest, plainSettlement, type RefundedItem } from '../../domain/refunds/quote-refund.ts';
import type { SettleMethod } from '../../domain/returns/resolution.ts';
import { splitRefund } from '../credits/give-credits-back.ts';
import { quoteCreditMemo, refundableOrder } from '../platform/credit-memos/book-credit-memo.ts';
import { readOrderRows, type LockedOrder } from '../platform/orders/lock-order.ts';
import { readTenders } from '../tenders/read-tenders.ts';
import { definite, text } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import type { ThroughGateway } from './through-gateway.ts';

interface UsedUp {
  order: LockedOrder;
  /** Null for goods without a return. */
  returnId: number | null;
  items: readonly RefundedItem[];
}

/**
 * Translates a memo's refusal where another refund has used up the order or its lines. Any other refusal is
 * unchanged.
 */
export async function explainUsedUp(em: EntityManager, error: unknown, usedUp: UsedUp): Promise<unknown> {
  return error instanceof PosError && error.status === 400 && isUsedUp(usedUp) ? nothingLeft(em, usedUp) : error;
}

function isUsedUp({ order, items }: UsedUp): boolean {
  if (order.baseTotalPaid <= order.baseTotalRefunded + order.basePendingRefund) return true;
  const { lines } = afterPendingMemos(refundableOrder(order));
  return items.some(({ orderItemId, qty }) => qty > qtyLeft(lines, orderItemId));
}

function qtyLeft(lines: readonly RefundableLine[], itemId: number): Quantity | number {
  const line = lines.find(({ orderItemId }) => orderItemId === itemId);
  return line ? minus(line.qtyInvoiced, line.qtyRefunded) : Infinity;
}

/**
 * 400 for a refund whose goods another refund has used up (spec 4.8 settle). It names the memo: the newest of these
 * lines, else the newest of the order. Without such a memo it names the refund under way: of these lines, else any.
 */
export async function nothingLeft(em: EntityManager, { order, returnId, items }: UsedUp): Promise<PosError> {
  const taker = await findTaker.first(em, {
    orderId: order.entityId,
    itemIds: items.map(({ orderItemId }) => orderItemId),
  });
  const outcome = { outcome: 'nothing_left_to_refund', return_id: returnId };
  const isUnderWay = taker?.attemptHasLines === true && taker.memoHasLines !== true;
  if (taker && taker.incrementId !== null && !isUnderWay) {
    return invalid(`Nothing is left to refund: credit memo ${taker.incrementId} took it.`, {
      ...outcome,
      credit_memo_id: taker.entityId,
      credit_memo_increment_id: taker.incrementId,
    });
  }
  if (taker?.attemptId == null) return invalid('Nothing is left to refund on this order.', outcome);
  return invalid(`Nothing is left to refund: refund attempt ${taker.attemptId} is under way for it.`, {
    ...outcome,
    refund_attempt_id: taker.attemptId,
  });
}

const findTaker = sql('refundable-money.findTaker')`
select m.entity_id, m.increment_id, m.memo_has_lines, a.attempt_id, a.attempt_has_lines from (select 1) as always
left join lateral (
  select entity_id, increment_id, exists (
      select from sales_creditmemo_item i where i.parent_id = c.entity_id and i.order_item_id = any($itemIds::bigint[])
    ) as memo_has_lines
  from sales_creditmemo c where c.order_id = $orderId and c.figures_from <> 'save' order by memo_has_lines desc,
    c.entity_id desc limit 1) m on true
left join lateral (
  select attempt_id, exists (
      select from jsonb_array_elements(plan -> 'items') i where (i ->> 'orderItemId')::bigint = any($itemIds::bigint[])
    ) as attempt_has_lines
  from refund_attempt where order_id = $orderId and state in ('started', 'uncertain')
  order by attempt_has_lines desc, attempt_id desc limit 1) a on true`;

/**
 * A payment that a layaway took under a reference, as a deposit that came with the order did: what it brought in, and
 * what gateways gave back of it or may have.
 */
export type Capture = RowFrom<typeof selectRefundableMoney>;

/** The payments of a layaway in their order; none of any other order, which is not read. */
export const readCaptures = async (
  em: EntityManager,
  { orderId, isLayaway }: { orderId: number; isLayaway: boolean },
): Promise<Capture[]> => (isLayaway ? selectRefundableMoney.all(em, { orderId }) : []);

export interface MoneyToSend extends ThroughGateway {
  order: LockedOrder;
  /** Null for goods without a return. */
  returnId: number | null;
  /** What goes back through the gateway, in the order's currency. */
  asked: Amount;
}

export interface PaymentToRefund {
  paymentMethod: string;
  paymentReference: string | null;
}

/**
 * The payment to which a refund goes back: the order's own, or that of the payments of a layaway which can take all of
 * it. A refund is one call of one gateway: what no single card took goes back by a settle with tenders (our choice).
 *
 * Refused with: 400 a payment that no gateway can refund · 400 `card_took_less`, naming what each card can take back.
 */
export async function paymentToRefund(em: EntityManager, money: MoneyToSend): Promise<PaymentToRefund> {
  const { order, returnId, asked, canRefundThrough } = money;
  const { method, lastTransId } = order.payment;
  const captures = await readCaptures(em, {
    orderId: order.entityId,
    isLayaway: order.posLayawayStatus !== null,
  });
  const cards = captures.filter((one) => canRefundThrough(one.method));
  if (cards.length === 0) {
    if (!canRefundThrough(method)) throw untrackable(method, returnId);
    if (order.extensionAttributes['pos_tenders'] !== undefined) return cardOfTenders(em, money);
    await refuseBeyondCard(em, { order, returnId, asked });
    return { paymentMethod: method, paymentReference: lastTransId };
  }
  const card = cards.find((one) => leftOn(one) >= asked);
  if (!card) throw noCardTookAsMuch(cards, { returnId, asked });
  return { paymentMethod: card.method, paymentReference: card.reference };
}

/** An order that names its tenders says what each card took. */
async function cardOfTenders(em: EntityManager, { order, returnId, asked, canRefundThrough }: MoneyToSend) {
  const tenders = await readTenders(em, { orderId: order.entityId, canRefundThrough });
  const cards = tenders.filter((tender) => tender.method === 'original_payment');
  const card = cards.find(({ available }) => available.order >= asked);
  if (card) return { paymentMethod: card.paymentMethod, paymentReference: card.paymentId };
  const lefts = cards.map(({ available }) => available.order);
  const named = cards.map((one) => `line ${one.lineId} ${toPlain(one.available.order)}`).join(', ');
  throw invalid(
    `No card took as much as ${toPlain(asked)} of this sale. They can take back: ${named || 'nothing'}. Settle with tenders: each gives its part back.`,
    {
      outcome: 'card_took_less',
      return_id: returnId,
      card_took: toPlain(greatest(zero, ...cards.map(({ paid }) => paid.order))),
      card_left: toPlain(greatest(zero, ...lefts)),
    },
  );
}

const leftOn = ({ took, gaveBack }: Capture): Amount => greatest(zero, subtract(took, gaveBack));

function noCardTookAsMuch(cards: readonly Capture[], { returnId, asked }: { returnId: number | null; asked: Amount }) {
  const named = cards.map((one) => `"${one.reference}" by "${one.method}" ${toPlain(leftOn(one))}`).join(', ');
  const lefts = cards.map(leftOn);
  return invalid(
    `No card took as much as ${toPlain(asked)} of this layaway. They can take back: ${named}. Settle with tenders: each gives its part back.`,
    {
      outcome: 'card_took_less',
      return_id: returnId,
      card_took: toPlain(greatest(zero, ...cards.map(({ took }) => took))),
      card_left: toPlain(greatest(zero, ...lefts)),
    },
  );
}

const selectRefundableMoney = sql('refundable-money.selectRefundableMoney', {
  gives: { method: definite(text), reference: definite(text) },
})`
  select c.method, c.reference, c.took, coalesce((
      select sum(a.amount) from refund_attempt a
      where a.order_id = $orderId and a.payment_reference = c.reference and a.state in ('started', 'uncertain',
        'booked')
    ), 0) as gave_back
  from (
    select m.money_in_id, m.amount as took, case when m.kind = 'placement' then p.method else m.method end as method,
      case when m.kind = 'placement' then p.last_trans_id else m.reference end as reference
    from sales_money_in m join sales_order_payment p on p.order_id = m.order_id
    where m.order_id = $orderId and m.kind in ('placement', 'layaway_capture')
  ) c
  where c.method is not null and c.reference <> '' order by c.money_in_id limit 200`;

/** No gateway can refund the method, or none could later answer a look-up (spec 4.8). */
const untrackable = (method: string, returnId: number | null) =>
  invalid(
    `This payment by "${method}" cannot be refunded through a gateway from the register. Refund the order from the admin, or give the money back another way.`,
    { outcome: 'refund_from_admin', return_id: returnId },
  );

interface RequestedOfCard {
  order: LockedOrder;
  returnId: number | null;
  /** In the order's currency. */
  asked: Amount;
}

/**
 * A card gives back no more than it took. Where other money paid a part of the sale, the refund of all of it would be
 * declined by the processor, after the goods are in. A settle with tenders gives each its part.
 *
 * Refused with: 400 `card_took_less`, naming what the card can still take back.
 */
async function refuseBeyondCard(em: EntityManager, { order, returnId, asked }: RequestedOfCard): Promise<void> {
  const card = await cardOf.first(em, { orderId: order.entityId });
  if (!card || card.isInParts) return;
  const { amountOrdered } = order.payment;
  const took = toCoins(
    amountOrdered > zero ? least(card.took, amountOrdered) : card.took,
    coinOf(order.orderCurrencyCode),
  );
  const left = greatest(zero, subtract(took, card.gaveBack));
  if (asked <= left) return;
  throw invalid(
    `The payment by "${order.payment.method}" took ${toPlain(took)} of this sale and can take back ${toPlain(left)}, not ${toPlain(asked)}. Settle with tenders: each gives its part back.`,
    { outcome: 'card_took_less', return_id: returnId, card_took: toPlain(took), card_left: toPlain(left) },
  );
}

/**
 * What an order's own payment brought in, and what its gateway gave back or may have; the payments of a layaway differ.
 */
const cardOf = sql('refundable-money.cardOf')`
  select
    (select coalesce(sum(amount), 0) from sales_money_in
      where order_id = $orderId and kind in ('placement', 'invoice')) as took,
    (select coalesce(sum(amount), 0) from refund_attempt
      where order_id = $orderId and state in ('booked', 'started', 'uncertain')) as gave_back,
    exists (select from sales_money_in where order_id = $orderId and kind = 'layaway_capture') as is_in_parts`;

/** Goods that are to come back, and the way on which their money is to go. */
export interface MoneyToJudge extends UsedUp, ThroughGateway {
  method: SettleMethod;
}

/** The money of a return cannot go back in this way, and that is known before its goods move. */
export class MoneyRefused extends PosError {}

/**
 * Judges what a settlement without goodwill and fee would say, before goods move: goods that are in and money that
 * cannot go back help nobody. Reads only; under the order lock it is what a settlement would say now.
 *
 * Refused with: 400 in the words of the settlement, as `MoneyRefused`.
 */
export async function judgeMoney(em: EntityManager, judged: MoneyToJudge): Promise<void> {
  try {
    await refuseUnlessSent(em, judged, await quoteOrUsedUp(em, judged));
  } catch (error) {
    throw error instanceof PosError ? new MoneyRefused(error.refusal, { cause: error }) : error;
  }
}

/**
 * The part of it that the histories of an existing return need not tell: a payment that only the admin can refund.
 * Refused with: 400 a payment that no gateway can refund, where one is needed.
 */
export async function refuseUnlessPayable(em: EntityManager, judged: MoneyToJudge): Promise<void> {
  const { order, method, canRefundThrough } = judged;
  if (method !== 'original_payment' || canRefundThrough(order.payment.method)) return;
  await refuseUnlessSent(em, judged, quoteCreditMemo(order, memoOf(judged)));
}

/** Where all of it is credit, or it comes to zero, no gateway is needed. */
async function refuseUnlessSent(em: EntityManager, judged: MoneyToJudge, figures: CreditMemoFigures): Promise<void> {
  const { order, returnId, method, canRefundThrough } = judged;
  if (method !== 'original_payment') return;
  const { handback } = await splitRefund(em, order, figures);
  if (!isPositive(handback.order)) return;
  await paymentToRefund(em, { order, returnId, asked: handback.order, canRefundThrough });
}

const memoOf = ({ items, order }: UsedUp) => memoRequest(items, plainSettlement, order);

/**
 * The same by reading, for goods of which nobody has said how their money goes back: as a settlement in cash.
 * Undefined: it can go back.
 */
export async function objectionOfMoney(
  em: EntityManager,
  { orderId, items }: { orderId: number; items: readonly RefundedItem[] },
): Promise<PosError | undefined> {
  const order = items.length === 0 ? undefined : await readOrderRows(em, orderId);
  if (!order) return undefined;
  try {
    await quoteOrUsedUp(em, { order, returnId: null, items });
    return undefined;
  } catch (error) {
    if (error instanceof PosError) return error;
    throw error;
  }
}

async function quoteOrUsedUp(em: EntityManager, judged: UsedUp): Promise<CreditMemoFigures> {
  try {
    return quoteCreditMemo(judged.order, memoOf(judged));
  } catch (error) {
    throw await explainUsedUp(em, error, judged);
  }
}
