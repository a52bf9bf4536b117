import { type Quantity, atLeastNone, minimum, minus } from '../money/quantity.ts';

/** How much of a returned line came from the buyer, and how much never left the shop (spec 4.8 quantity contract). */

export interface ReturnedQuantities {
  requested: Quantity;
  /** The quantity on the counter; at most what was requested. */
  received: Quantity;
}

export interface ShippedLine {
  isStockManaged: boolean;
  qtyShipped: Quantity;
  /** How many shipped ones came back before. */
  qtyCameBack: Quantity;
}

export interface Arrived {
  /** Back from the buyer, on the counter now. */
  cameBack: Quantity;
  /** Never handed over, but inspected now: it goes where the line's condition says. */
  lookedAt: Quantity;
  /** Never handed over, inspected or not. */
  neverShipped: Quantity;
}

/** Shipped goods come back first; only the quantity beyond them was never handed over. */
export function arrivedOf({ requested, received }: ReturnedQuantities, line: ShippedLine | undefined): Arrived {
  const withBuyer = line?.isStockManaged ? atLeastNone(minus(line.qtyShipped, line.qtyCameBack)) : requested;
  const neverShipped = atLeastNone(minus(requested, withBuyer));
  const cameBack = minimum(received, minus(requested, neverShipped));
  return { cameBack, lookedAt: minus(received, cameBack), neverShipped };
}
