import { invalid } from '../errors.ts';
import {
  add,
  greatest,
  least,
  scale,
  subtract,
  toCoins,
  toPlain,
  zero,
  type Amount,
  type Coin,
  type Coins,
  type InBoth,
} from '../money.ts';
import { isSomething, restOf, type AppliedCredit, type CreditLeg } from './applied-credit.ts';

/** A credit in one currency. */
export interface Slot {
  applied: Amount;
  returned: Amount;
}

/** A refund in one currency; `refunded` is the sum of all earlier refunds, credit and money. */
export interface RefundInCurrency {
  paid: Amount;
  refunded: Amount;
  refund: Amount;
  coin: Coin;
}

/**
 * What of a refund goes back to each credit, in one currency; the rest is the handback.
 *
 * Cumulative: after each refund a credit has back its share of all refunds, rounded once to the coin. So no coin is
 * lost in any split, and the last refund gives back the exact rest. No leg exceeds what is left of its credit or of
 * the refund. The handback never exceeds the paid money that was not handed back yet.
 */
function splitInProportion(slots: readonly Slot[], { paid, refunded, refund, coin }: RefundInCurrency): Amount[] {
  const after = least(paid, add(refunded, refund));
  const rooms = slots.map(({ applied, returned }) => greatest(zero, subtract(applied, returned)));
  const shares = slots.map(({ applied, returned }, at) =>
    within(subtract(shareOf(applied, { after, paid, coin }), returned), rooms[at] ?? zero),
  );
  const tooMuch = subtract(add(zero, ...shares), refund);
  if (tooMuch > 0) return reduceLast(shares, tooMuch);
  const beyondMoney = subtract(refund, ...shares, moneyLeft(slots, { paid, refunded }));
  return beyondMoney > 0 ? fillRooms(shares, rooms, beyondMoney) : shares;
}

/**
 * The last refund gives back all that is left. A credit that paid a part of a coin counts as the nearest coin, but
 * never as more than itself.
 */
const shareOf = (applied: Amount, { after, paid, coin }: { after: Amount; paid: Amount; coin: Coin }): Amount =>
  least(applied, after >= paid ? toCoins(applied, coin) : scale(applied, after, paid, coin));

const within = (value: Amount, room: Amount): Amount => least(room, greatest(zero, value));

function moneyLeft(slots: readonly Slot[], { paid, refunded }: Pick<RefundInCurrency, 'paid' | 'refunded'>): Amount {
  const money = subtract(paid, ...slots.map(({ applied }) => applied));
  const handedBack = greatest(zero, subtract(refunded, ...slots.map(({ returned }) => returned)));
  return greatest(zero, subtract(money, handedBack));
}

/** Where rounding made the shares larger than the refund, the last shares are reduced. */
function reduceLast(shares: readonly Amount[], by: Amount): Amount[] {
  let left = by;
  return shares
    .toReversed()
    .map((share) => {
      const less = least(share, left);
      left = subtract(left, less);
      return subtract(share, less);
    })
    .toReversed();
}

/** What the money paid does not cover goes to credits with room, the first ones first. */
function fillRooms(shares: readonly Amount[], rooms: readonly Amount[], by: Amount): Amount[] {
  let left = by;
  return shares.map((share, at) => {
    const more = least(subtract(rooms[at] ?? zero, share), left);
    left = subtract(left, more);
    return add(share, more);
  });
}

/** An order's money and goods when a refund is split, and the refund. Refunds under way count as refunded. */
export interface RefundToSplit {
  credits: readonly AppliedCredit[];
  /** All that was paid, credit included. */
  paid: InBoth;
  refunded: InBoth;
  /** The credit memo's total. */
  refund: InBoth;
  goods: RefundedGoods & { refund: Amount };
  coins: Coins;
}

/** Value of all lines as ordered, and the part that memos and cancellations took. Rows ex tax, in the base currency. */
export interface RefundedGoods {
  total: Amount;
  refunded: Amount;
  cancelled: Amount;
}

/**
 * Splits a credit memo over the credits that paid its order (spec 2.11 `refund_legs`). Pure. Preview, settlement and
 * every other memo call it, so a booking always equals its preview.
 *
 * A tender credit comes back in proportion to the payments refunded. A discount credit comes back in proportion to
 * the goods; for cancelled goods it came back already, see `legsOfPartCancel`. The split is cumulative: in however
 * many parts an order is refunded, each credit comes back exactly, and never more. The memo's total less the tender
 * legs is the handback: see `splitInProportion`.
 */
export function legsOfRefund(refund: RefundToSplit): CreditLeg[] {
  const tenders = refund.credits.filter(({ appliesAs }) => appliesAs === 'tender');
  const base = splitInProportion(
    tenders.map(({ baseAmount, baseReturned }) => ({ applied: baseAmount, returned: baseReturned })),
    { paid: refund.paid.base, refunded: refund.refunded.base, refund: refund.refund.base, coin: refund.coins.base },
  );
  const order = splitInProportion(
    tenders.map(({ amount, amountReturned }) => ({ applied: amount, returned: amountReturned })),
    { paid: refund.paid.order, refunded: refund.refunded.order, refund: refund.refund.order, coin: refund.coins.order },
  );
  const legs = refund.credits.map((credit) => {
    const at = tenders.indexOf(credit);
    return at < 0 ? discountLeg(credit, refund) : tenderLeg(credit, { base: base[at], order: order[at] });
  });
  return legs.filter(isSomething);
}

/**
 * What comes back when goods of an order are cancelled and the order lives on: points that were a discount come back
 * with their goods (spec 4.7). A credit that was a payment stays one.
 *
 * @param goods after the cancellation
 */
export const legsOfPartCancel = (credits: readonly AppliedCredit[], goods: RefundedGoods, coins: Coins): CreditLeg[] =>
  credits
    .filter(({ appliesAs }) => appliesAs === 'discount')
    .map((credit) => discountLeg(credit, { goods: { ...goods, refund: zero }, coins }))
    .filter(isSomething);

interface Shares {
  base: Amount | undefined;
  order: Amount | undefined;
}

function tenderLeg(credit: AppliedCredit, { base = zero, order = zero }: Shares): CreditLeg {
  const after = add(credit.baseReturned, base);
  return {
    ...restOf(credit),
    baseAmount: base,
    amount: order,
    points: credit.points === null ? null : pointsUntil(credit, credit.points, after, credit.baseAmount),
  };
}

/**
 * Its money is already in the order's discount, and so in the memo's. The leg shows its value and carries only
 * points.
 */
function discountLeg(credit: AppliedCredit, { goods, coins }: Pick<RefundToSplit, 'goods' | 'coins'>): CreditLeg {
  const { total, refunded, cancelled, refund } = goods;
  const after = least(total, add(refunded, cancelled, refund));
  const rest = restOf(credit);
  if (after === zero) return { ...rest, baseAmount: zero, amount: zero, points: credit.points === null ? null : 0 };
  const share = (applied: Amount, returned: Amount, coin: Coin) =>
    greatest(zero, subtract(after >= total ? applied : scale(applied, after, total, coin), returned));
  return {
    ...rest,
    baseAmount: share(credit.baseAmount, credit.baseReturned, coins.base),
    amount: share(credit.amount, credit.amountReturned, coins.order),
    points: credit.points === null ? null : pointsUntil(credit, credit.points, after, total),
  };
}

/** Whole points: those due back when `after` of `total` is refunded, less those given back before. */
function pointsUntil(credit: AppliedCredit, points: number, after: Amount, total: Amount): number {
  const until = after >= total ? points : wholePart(points, after, total);
  return Math.max(0, until - credit.pointsReturned);
}

/** Rounded down: half a point does not come back until its other half does. */
const wholePart = (points: number, after: Amount, total: Amount) =>
  Number((BigInt(points) * BigInt(after)) / BigInt(total));

export interface LayawayToCancel {
  credits: readonly AppliedCredit[];
  /** Paid with money: the amount paid less the tender credit. */
  captured: InBoth;
  /** The fee the shop keeps, from money and tender credit together. */
  fee: InBoth;
}

/**
 * What a cancelled layaway gives back (spec 4.7 cancel): all credit, less the part of the fee that the captured money
 * does not cover. Only store credit can bear that part.
 *
 * @returns the legs, including discount credits, which come back whole, and the money to hand back. The credit memo's
 * total is the handback plus the tender legs.
 *
 * Refused with: 400 a fee that would keep part of a gift card or of points.
 */
export function legsOfCancelledLayaway({ credits, captured, fee }: LayawayToCancel): {
  legs: CreditLeg[];
  handback: InBoth;
} {
  const stored = {
    base: greatest(zero, subtract(fee.base, captured.base)),
    order: greatest(zero, subtract(fee.order, captured.order)),
  };
  const legs = credits.map(restOf).map((leg) => {
    if (leg.kind !== 'store_credit' || leg.appliesAs !== 'tender') return leg;
    const less = { base: least(stored.base, leg.baseAmount), order: least(stored.order, leg.amount) };
    stored.base = subtract(stored.base, less.base);
    stored.order = subtract(stored.order, less.order);
    return { ...leg, baseAmount: subtract(leg.baseAmount, less.base), amount: subtract(leg.amount, less.order) };
  });
  // In the order's currency, as fee and deposit are; the base may differ by a cent of rounding.
  if (stored.order > 0) throw keepsAnother(fee.order);
  return {
    legs: legs.filter(isSomething),
    handback: {
      base: greatest(zero, subtract(captured.base, fee.base)),
      order: greatest(zero, subtract(captured.order, fee.order)),
    },
  };
}

const keepsAnother = (fee: Amount) =>
  invalid(
    'The fee of %1 is above the money captured and would keep part of a gift card or of reward points. Only ' +
      'store credit can be kept in part.',
    [toPlain(fee)],
  );
