import { invalid } from '../errors.ts';

interface Goods {
  orderLines: readonly { itemId: number; sku: string }[];
  memoLines: readonly { orderItemId: number }[];
  /** Order lines whose goods are said to be fit for the shelf. */
  returnToStockItemIds: readonly number[];
}

/**
 * Goods can come back only with the memo that refunds them (platform facts 7.4). A line of another order, or one that this
 * memo does not refund, would be ignored in silence, and its goods written off.
 *
 * Refused with: 400, one line for each order line that does not belong here.
 */
export function refuseForeignGoods({ orderLines, memoLines, returnToStockItemIds }: Goods): void {
  const skus = new Map(orderLines.map(({ itemId, sku }) => [itemId, sku]));
  const refunded = new Set(memoLines.map(({ orderItemId }) => orderItemId));
  const errors = [...new Set(returnToStockItemIds)]
    .filter((itemId) => !refunded.has(itemId))
    .map((itemId) => {
      const sku = skus.get(itemId);
      return sku === undefined
        ? 'The return to stock argument contains product item that is not part of the original order.'
        : `The "${sku}" product is not part of the current creditmemo.`;
    });
  if (errors.length > 0) throw invalid(['Creditmemo Document Validation Error(s):', ...errors].join('\n'));
}
