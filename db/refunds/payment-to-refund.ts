import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { greatest, least, subtract, toPlain, zero, type Amount } from '../../domain/money/amount.ts';
import { coinOf, toCoins } from '../../domain/money/coins.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import { amount, flag, integer, surely, text } from '../support/kinds.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import type { ThroughGateway } from './through-gateway.ts';

/**
 * A payment that a layaway took under a reference, as a deposit that came with the order did: what it brought in, and what
 * gateways gave back of it or may have.
 */
export type Capture = RowFrom<typeof read>;

/** The payments of a layaway in their order; none of any other order, which is not read. */
export const readCaptures = async (
  em: EntityManager,
  { orderId, isLayaway }: { orderId: number; isLayaway: boolean },
): Promise<Capture[]> => (isLayaway ? read.all(em, { orderId }) : []);

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
 * The payment to which a refund goes back: the order's own, or that of the payments of a layaway which can take all of it.
 * A refund is one call of one gateway, so what no single card took back is left to several returns (our choice).
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
    await refuseBeyondCard(em, { order, returnId, asked });
    return { paymentMethod: method, paymentReference: lastTransId };
  }
  const card = cards.find((one) => leftOn(one) >= asked);
  if (!card) throw noCardTookAsMuch(cards, { returnId, asked });
  return { paymentMethod: card.method, paymentReference: card.reference };
}

const leftOn = ({ took, gaveBack }: Capture): Amount => greatest(zero, subtract(took, gaveBack));

function noCardTookAsMuch(cards: readonly Capture[], { returnId, asked }: { returnId: number | null; asked: Amount }) {
  const named = cards.map((one) => `"${one.reference}" by "${one.method}" ${toPlain(leftOn(one))}`).join(', ');
  const lefts = cards.map(leftOn);
  return invalid(
    `No card took as much as ${toPlain(asked)} of this layaway. They can take back: ${named}. Return goods of that value to a card, and the others another way.`,
    {
      outcome: 'card_took_less',
      return_id: returnId,
      card_took: toPlain(greatest(zero, ...cards.map(({ took }) => took))),
      card_left: toPlain(greatest(zero, ...lefts)),
    },
  );
}

const read = statement({
  takes: { orderId: integer },
  gives: { method: surely(text), reference: surely(text), took: surely(amount), gaveBack: surely(amount) },
  text: `
    select c.method, c.reference, c.took, coalesce((
        select sum(a.amount) from refund_attempt a
        where a.order_id = $orderId and a.payment_reference = c.reference and a.state in ('started', 'uncertain', 'booked')
      ), 0) as gave_back
    from (
      select m.money_in_id, m.amount as took, case when m.kind = 'placement' then p.method else m.method end as method,
        case when m.kind = 'placement' then p.last_trans_id else m.reference end as reference
      from sales_money_in m join sales_order_payment p on p.order_id = m.order_id
      where m.order_id = $orderId and m.kind in ('placement', 'layaway_capture')
    ) c
    where c.method is not null and c.reference <> '' order by c.money_in_id limit 200`,
});

/** No gateway can refund the method, or none could later answer a look-up (spec 4.8). */
const untrackable = (method: string, returnId: number | null) =>
  invalid(
    `This payment by "${method}" cannot be refunded through a gateway from the register. Refund the order from the admin, or give the money back another way.`,
    { outcome: 'refund_from_admin', return_id: returnId },
  );

interface AskedOfCard {
  order: LockedOrder;
  returnId: number | null;
  /** In the order's currency. */
  asked: Amount;
}

/**
 * A card gives back no more than it took. Where other money paid a part of the sale, the refund of all of it would be
 * declined by the processor, after the goods are in. One settle has one method: two returns give back two tenders.
 *
 * Refused with: 400 `card_took_less`, naming what the card can still take back.
 */
async function refuseBeyondCard(em: EntityManager, { order, returnId, asked }: AskedOfCard): Promise<void> {
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
    `The payment by "${order.payment.method}" took ${toPlain(took)} of this sale and can take back ${toPlain(left)}, not ${toPlain(asked)}. Return goods of that value to it, and the others another way.`,
    { outcome: 'card_took_less', return_id: returnId, card_took: toPlain(took), card_left: toPlain(left) },
  );
}

/** What an order's own payment brought in, and what its gateway gave back or may have; the payments of a layaway differ. */
const cardOf = statement({
  takes: { orderId: integer },
  gives: { took: surely(amount), gaveBack: surely(amount), isInParts: surely(flag) },
  text: `
    select
      (select coalesce(sum(amount), 0) from sales_money_in
        where order_id = $orderId and kind in ('placement', 'invoice')) as took,
      (select coalesce(sum(amount), 0) from refund_attempt
        where order_id = $orderId and state in ('booked', 'started', 'uncertain')) as gave_back,
      exists (select from sales_money_in where order_id = $orderId and kind = 'layaway_capture') as is_in_parts`,
});
