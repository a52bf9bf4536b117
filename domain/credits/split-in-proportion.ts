import { toCoins, type Coin } from '../money/coins.ts';
import { add, greatest, least, scale, subtract, zero, type Amount } from '../money/amount.ts';

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
