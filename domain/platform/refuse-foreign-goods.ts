import { refuseDocument } from './document-lines.ts';

/**
 * Goods come back to the shelf with the order that sold them (platform facts 7.4): an id of another order would be ignored
 * in silence, and the goods meant written off. A line that this memo gives nothing of may be named, as clients do that
 * name all lines; so may a part of a bundle.
 *
 * Refused with: 400, one line for each id that is none of the order's lines.
 */
export function refuseForeignGoods(
  orderLines: readonly { itemId: number }[],
  returnToStockItemIds: readonly number[],
): void {
  const own = new Set(orderLines.map(({ itemId }) => itemId));
  const foreign = [...new Set(returnToStockItemIds)].filter((itemId) => !own.has(itemId));
  const errors = foreign.map(
    () => 'The return to stock argument contains product item that is not part of the original order.',
  );
  refuseDocument('Creditmemo', errors);
}
