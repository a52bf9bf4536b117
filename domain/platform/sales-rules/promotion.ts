import {
  add,
  isPositive,
  least,
  scale,
  subtract,
  zero,
  toCoins,
  unitsPerWhole,
  wholeInPercent,
  minimum,
  none,
  quantity,
  type Amount,
  type Coin,
  type Quantity,
} from '../../money.ts';

/**
 * How a promotion discounts: a percentage of each row, an amount for each piece, an amount for the whole cart, or free
 * pieces for those that are paid (platform facts 9.4).
 */
export const promotionActions = ['by_percent', 'by_fixed', 'cart_fixed', 'buy_x_get_y'] as const;
export type PromotionAction = (typeof promotionActions)[number];

/** What a promotion does. */
export interface Discount {
  action: PromotionAction;
  /** In one currency. For `by_percent` a percentage, for `buy_x_get_y` the pieces that are free. */
  amount: Amount;
  /** The most pieces of a line that it is for; none: all. */
  mostQty: Quantity;
  /** It is for every so many pieces; for `buy_x_get_y`, the pieces that are paid. */
  step: Quantity;
  appliesToShipping: boolean;
  /** No later promotion holds for the lines of this one. */
  stops: boolean;
}

/** A promotion that holds for a cart, and the lines that its conditions on goods hold for. */
export interface Promotion extends Discount {
  ruleId: number;
  lines: readonly boolean[];
}

/** A row before discount and tax. */
export interface DiscountableRow {
  rowTotal: Amount;
  qty: Quantity;
}

/** What promotions take off. */
export interface Promoted {
  /** By line. */
  discounts: readonly Amount[];
  shippingDiscount: Amount;
  /** By line: the promotions that held for it. */
  ruleIds: readonly (readonly number[])[];
}

interface Running {
  left: Amount[];
  ruleIds: number[][];
  isStopped: boolean[];
  shippingLeft: Amount;
  isShippingStopped: boolean;
}

/**
 * What the promotions of a cart take off its rows and its shipping, in coins and before tax (platform facts 9.4). Each
 * works on what those before it left, in the order of the list; none takes more than that. Where one stops the others,
 * it does so only for the lines that it is for.
 */
export function promote(
  rows: readonly DiscountableRow[],
  promotions: readonly Promotion[],
  { shipping, coin }: { shipping: Amount; coin: Coin },
): Promoted {
  const running: Running = {
    left: rows.map(({ rowTotal }) => rowTotal),
    ruleIds: rows.map(() => []),
    isStopped: rows.map(() => false),
    shippingLeft: shipping,
    isShippingStopped: false,
  };
  for (const promotion of promotions) apply(promotion, rows, running, coin);
  return {
    discounts: rows.map(({ rowTotal }, at) => subtract(rowTotal, running.left[at] ?? zero)),
    shippingDiscount: subtract(shipping, running.shippingLeft),
    ruleIds: running.ruleIds,
  };
}

function apply(promotion: Promotion, rows: readonly DiscountableRow[], running: Running, coin: Coin): void {
  const open = rows.map((_, at) => promotion.lines[at] === true && !running.isStopped[at]);
  const worth = rows.map((row, at) => (open[at] ? reached(promotion, row, running.left[at] ?? zero, coin) : zero));
  const off = promotion.action === 'cart_fixed' ? spread(worth, promotion.amount, coin) : worth;
  rows.forEach((_, at) => {
    if (!open[at]) return;
    running.left[at] = subtract(running.left[at] ?? zero, off[at] ?? zero);
    running.ruleIds[at]?.push(promotion.ruleId);
    running.isStopped[at] = promotion.stops;
  });
  if (!promotion.appliesToShipping || running.isShippingStopped) return;
  running.shippingLeft = subtract(
    running.shippingLeft,
    offShipping(promotion, running.shippingLeft, add(...off), coin),
  );
  running.isShippingStopped = promotion.stops;
}

/** What a promotion takes off one row; for `cart_fixed`, the part of the row that it may take from. */
function reached(promotion: Promotion, { rowTotal, qty }: DiscountableRow, left: Amount, coin: Coin): Amount {
  const { action, amount } = promotion;
  if (action === 'buy_x_get_y') return least(left, scale(rowTotal, freePieces(promotion, qty), qty, coin));
  const pieces = piecesOf(promotion, qty);
  const part = pieces === qty ? left : least(left, scale(left, pieces, qty, coin));
  if (action === 'by_percent') return scale(part, Math.min(amount, wholeInPercent), wholeInPercent, coin);
  if (action === 'by_fixed') return least(left, scale(amount, pieces, unitsPerWhole, coin));
  return part;
}

/** At most `mostQty`, in whole steps. */
function piecesOf({ mostQty, step }: Discount, qty: Quantity): Quantity {
  const limited = mostQty === none ? qty : minimum(qty, mostQty);
  return step === none ? limited : quantity(Math.floor(limited / step) * step);
}

/** Of every X paid and Y free pieces the Y, and what goes beyond X in the last round. */
function freePieces({ mostQty, step, amount }: Discount, qty: Quantity): Quantity {
  const free = quantity(amount);
  if (step === none || free > step || free === none) return none;
  const limited = mostQty === none ? qty : minimum(qty, mostQty);
  const round = step + free;
  const rounds = Math.floor(limited / round);
  const rest = limited - rounds * round;
  return quantity(rounds * free + Math.max(0, rest - step));
}

function offShipping({ action, amount }: Discount, left: Amount, alreadyOff: Amount, coin: Coin): Amount {
  if (action === 'by_percent') return scale(left, Math.min(amount, wholeInPercent), wholeInPercent, coin);
  if (action === 'by_fixed') return least(left, toCoins(amount, coin));
  if (action === 'buy_x_get_y') return zero;
  const rest = subtract(toCoins(amount, coin), alreadyOff);
  return isPositive(rest) ? least(left, rest) : zero;
}

/** Each row takes its share of what is left, so the last row with a value takes the exact rest. */
function spread(rows: readonly Amount[], amount: Amount, coin: Coin): Amount[] {
  let worth = add(...rows);
  let left = least(toCoins(amount, coin), worth);
  return rows.map((row) => {
    const share = worth === zero ? zero : least(row, scale(left, row, worth, coin));
    worth = subtract(worth, row);
    left = subtract(left, share);
    return share;
  });
}
