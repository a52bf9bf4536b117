import { isWhole, pieces, type Quantity } from '../money/quantity.ts';

/** How a product stands in a stock. */
export interface StockStanding {
  /** It lies, or lay, at a source of the stock. */
  isAssigned: boolean;
  isManaged: boolean;
  isInStock: boolean;
  isQtyDecimal: boolean;
  allowsBackorders: boolean;
  /** How many may still be promised. */
  quantity: Quantity;
}

export interface QuantityError {
  code: string;
  message: string;
}

/** The platform's defaults for the least and the most of one product that anybody takes. */
const fewest = pieces(1);
const most = pieces(10_000);

/** What stands against a sale of so many, in the platform's codes and words (platform facts 10); nothing when none. */
export function whatForbidsQuantity(product: StockStanding | undefined, qty: Quantity): QuantityError[] {
  if (!product || (product.isManaged && !product.isAssigned))
    return one('requested-sku-is-not-assigned-to-given-stock', 'The requested sku is not assigned to given stock.');
  if (product.isManaged && !product.isInStock)
    return one(
      'is_any_source_item_in_stock-no_source_items_in_stock',
      'There are no source items with the in stock status',
    );
  if (!product.isQtyDecimal && !isWhole(qty))
    return one('is_correct_qty-is_qty_decimal', 'You cannot use decimal quantity for this product.');
  if (qty < fewest) return one('is_correct_qty-min_sale_qty', 'The fewest you may purchase is 1.');
  if (qty > most)
    return one('is_correct_qty-max_sale_qty', 'The requested qty exceeds the maximum qty allowed in shopping cart');
  if (product.isManaged && !product.allowsBackorders && qty > product.quantity)
    return one('is_salable_with_reservations-not_enough_qty', 'Not enough items for sale');
  return [];
}

const one = (code: string, message: string): QuantityError[] => [{ code, message }];
