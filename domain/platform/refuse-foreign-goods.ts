import { refuseDocument } from './document-lines.ts';

/**
 * Goods go back to stock only with the order that sold them (platform facts 7.4). An id of another order would be
 * ignored silently, and the goods meant would be written off. A line with quantity zero may be named, as some clients
 * name all lines; so may a part of a bundle.
 *
 * Refused with: 400, one line for each id that is not a line of the order.
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
