import { atLeastNone, minimum, minus, none, plus, type Quantity } from '../money/quantity.ts';

interface AtSource {
  sku: string;
  sourceCode: string;
  quantity: Quantity;
}

export interface SourceSelection {
  items: readonly { sourceCode: string; sku: string; qtyToDeduct: Quantity; qtyAvailable: Quantity }[];
  /** Whether these sources can ship everything that was asked for. */
  isShippable: boolean;
}

/**
 * How much each source ships, in the order of the stock's priority (platform facts 10). A source that is not needed
 * is listed with quantity zero.
 */
export function selectSources(
  wanted: readonly { sku: string; qty: Quantity }[],
  byPriority: readonly AtSource[],
): SourceSelection {
  const open = new Map<string, Quantity>();
  for (const { sku, qty } of wanted) open.set(sku, plus(open.get(sku) ?? none, qty));
  const items = byPriority.map(({ sku, sourceCode, quantity }) => {
    const left = open.get(sku) ?? none;
    const qtyToDeduct = minimum(left, atLeastNone(quantity));
    open.set(sku, minus(left, qtyToDeduct));
    return { sourceCode, sku, qtyToDeduct, qtyAvailable: quantity };
  });
  return { items, isShippable: [...open.values()].every((left) => left <= none) };
}
