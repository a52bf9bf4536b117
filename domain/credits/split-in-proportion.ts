import { toCoins, type Coin } from '../money/coins.ts';
import { add, greatest, least, scale, subtract, zero, type Amount } from '../money/amount.ts';

/** A credit in one currency. */
export interface Slot {
  applied: Amount;
  returned: Amount;
}

/** A refund in one currency; `refunded` is what went back before, all of it: credit and money. */
export interface RefundInCurrency {
  paid: Amount;
  refunded: Amount;
  refund: Amount;
  coin: Coin;
}

/**
 * What of a refund goes back to each credit, in one currency; the rest is the handback.
 *
 * Cumulative: after the refund a credit has had back its share of all that was refunded, rounded once to the coin, so no
 * coin is lost however the refund is split, and the last one gives back the exact rest. Never more than is left of a
 * credit, never more than the refund, and the handback never above the money that was paid and not handed back.
 */
export function splitInProportion(
  slots: readonly Slot[],
  { paid, refunded, refund, coin }: RefundInCurrency,
): Amount[] {
  const after = least(paid, add(refunded, refund));
  const rooms = slots.map(({ applied, returned }) => greatest(zero, subtract(applied, returned)));
  const shares = slots.map(({ applied, returned }, at) =>
    within(subtract(shareOf(applied, { after, paid, coin }), returned), rooms[at] ?? zero),
  );
  const tooMuch = subtract(add(zero, ...shares), refund);
  if (tooMuch > 0) return lessen(shares, tooMuch);
  const beyondMoney = subtract(refund, ...shares, moneyLeft(slots, { paid, refunded }));
  return beyondMoney > 0 ? widen(shares, rooms, beyondMoney) : shares;
}

/**
 * All of it at the end, whatever the rounding made of the parts. A credit that paid a part of a coin is worth the coin
 * nearest to it, and no more than itself.
 */
const shareOf = (applied: Amount, { after, paid, coin }: { after: Amount; paid: Amount; coin: Coin }): Amount =>
  least(applied, after >= paid ? toCoins(applied, coin) : scale(applied, after, paid, coin));

const within = (value: Amount, room: Amount): Amount => least(room, greatest(zero, value));

function moneyLeft(slots: readonly Slot[], { paid, refunded }: Pick<RefundInCurrency, 'paid' | 'refunded'>): Amount {
  const money = subtract(paid, ...slots.map(({ applied }) => applied));
  const handedBack = greatest(zero, subtract(refunded, ...slots.map(({ returned }) => returned)));
  return greatest(zero, subtract(money, handedBack));
}

/** Rounding made the shares more than there is: the last ones give way. */
function lessen(shares: readonly Amount[], by: Amount): Amount[] {
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

/** What no money is there for goes to the credits that have room, the first ones first. */
function widen(shares: readonly Amount[], rooms: readonly Amount[], by: Amount): Amount[] {
  let left = by;
  return shares.map((share, at) => {
    const more = least(subtract(rooms[at] ?? zero, share), left);
    left = subtract(left, more);
    return add(share, more);
  });
}
