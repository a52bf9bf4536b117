import { atLeastNone, fewest, minus, none, plus, type Quantity } from '../money/quantity.ts';

interface AtSource {
  sku: string;
  sourceCode: string;
  quantity: Quantity;
}

export interface SourceSelection {
  items: readonly { sourceCode: string; sku: string; qtyToDeduct: Quantity; qtyAvailable: Quantity }[];
  /** Whether everything that was asked for can leave from these sources. */
  isShippable: boolean;
}

/**
 * Which source hands over how much, in the order of the stock's priority (platform facts 10). A source that is not needed
 * is named with a quantity of zero.
 */
export function selectSources(
  wanted: readonly { sku: string; qty: Quantity }[],
  byPriority: readonly AtSource[],
): SourceSelection {
  const open = new Map<string, Quantity>();
  for (const { sku, qty } of wanted) open.set(sku, plus(open.get(sku) ?? none, qty));
  const items = byPriority.map(({ sku, sourceCode, quantity }) => {
    const left = open.get(sku) ?? none;
    const qtyToDeduct = fewest(left, atLeastNone(quantity));
    open.set(sku, minus(left, qtyToDeduct));
    return { sourceCode, sku, qtyToDeduct, qtyAvailable: quantity };
  });
  return { items, isShippable: [...open.values()].every((left) => left <= none) };
}
