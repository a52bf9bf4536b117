import { type Quantity, atLeastNone, fewest, minus } from '../money/quantity.ts';

/** What of a returned line was with the buyer, and what never left the shop (spec 4.8 quantity contract). */

export interface ReturnedQuantities {
  requested: Quantity;
  /** What lay on the counter; at most what was requested. */
  received: Quantity;
}

export interface ShippedLine {
  isStockManaged: boolean;
  qtyShipped: Quantity;
  /** What of the shipped ones came back before. */
  qtyCameBack: Quantity;
}

export interface Arrived {
  /** Back from the buyer, on the counter now. */
  cameBack: Quantity;
  /** Never handed over, and looked at now: it goes where the line's condition says. */
  lookedAt: Quantity;
  /** Never handed over, whether somebody looked at it or not. */
  neverShipped: Quantity;
}

/** Goods come back shipped ones first; only what goes beyond those was never handed over. */
export function arrivedOf({ requested, received }: ReturnedQuantities, line: ShippedLine | undefined): Arrived {
  const withBuyer = line?.isStockManaged ? atLeastNone(minus(line.qtyShipped, line.qtyCameBack)) : requested;
  const neverShipped = atLeastNone(minus(requested, withBuyer));
  const cameBack = fewest(received, minus(requested, neverShipped));
  return { cameBack, lookedAt: minus(received, cameBack), neverShipped };
}
