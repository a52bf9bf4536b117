import { none, plus, type Quantity } from '../money/quantity.ts';
import { wantedQuantity, type ChosenLine, type OrderedLine, type WantedLine } from './document-lines.ts';
import { isLeftToShip, toShip } from './line-quantities.ts';
import type { OrderState } from './order-state.ts';

/** The lines of a shipment: those named, or everything left to hand over when none are (platform facts 5.5). */
export function shipmentLines<Line extends OrderedLine>(
  lines: readonly Line[],
  wanted: readonly WantedLine[],
): ChosenLine<Line>[] {
  return lines
    .filter(isLeftToShip)
    .map((line) => ({ line, qty: wanted.length === 0 ? toShip(line) : wantedQuantity(line, wanted) }))
    .filter(({ qty }) => qty > none);
}

/** The reasons that forbid a shipment, those of the order first; empty when nothing does. */
export function shipmentErrors(
  order: { state: OrderState; status: string; isVirtual: boolean; lines: readonly OrderedLine[] },
  chosen: readonly ChosenLine<OrderedLine>[],
  tracks: readonly { trackNumber: string }[],
): string[] {
  const fits = ({ line, qty }: ChosenLine<OrderedLine>) => qty <= toShip(line);
  const total: Quantity = plus(...chosen.filter(fits).map(({ qty }) => qty));
  return [
    ...orderErrors(order),
    ...chosen.filter((one) => !fits(one)).map(({ line }) => tooMany(line.sku)),
    ...(total <= none ? ["You can't create a shipment without products."] : []),
    ...tracks.filter(({ trackNumber }) => trackNumber === '').map(() => 'Please enter a tracking number.'),
  ];
}

function orderErrors({ state, status, isVirtual, lines }: Parameters<typeof shipmentErrors>[0]): string[] {
  const isStopped = state === 'payment_review' || state === 'holded' || state === 'canceled' || isVirtual;
  if (isStopped) return [`A shipment cannot be created when an order has a status of ${status}`];
  return lines.some(isLeftToShip) ? [] : ['The order does not allow a shipment to be created.'];
}

const tooMany = (sku: string) =>
  `The quantity to ship must not be greater than the unshipped quantity for product SKU "${sku}".`;
