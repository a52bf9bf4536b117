import { isWhole, pieces, type Quantity } from '../money/quantity.ts';

/** How a product stands in a stock. */
export interface StockStanding {
  /** Whether a source of the stock has, or had, some of it. */
  isAssigned: boolean;
  /** Whether such a source is enabled: others count for nothing. */
  isCounted: boolean;
  isManaged: boolean;
  isInStock: boolean;
  isQtyDecimal: boolean;
  allowsBackorders: boolean;
  /** How many are salable. */
  quantity: Quantity;
}

export interface QuantityError {
  code: string;
  message: string;
}

/** The platform's default minimum and maximum of one product in a sale. */
const minimumQuantity = pieces(1);
const most = pieces(10_000);

/**
 * The reasons that forbid a sale of this quantity, in the platform's codes and words (platform facts 10); empty when
 * none does. First come those that forbid it by themselves. Else one of three must permit it: backorders, stock that is
 * not managed, or enough of it; where none does, all three are told.
 */
export function quantityErrors(product: StockStanding | undefined, qty: Quantity): QuantityError[] {
  if (!product || (product.isManaged && !product.isAssigned))
    return one('requested-sku-is-not-assigned-to-given-stock', 'The requested sku is not assigned to given stock.');
  if (product.isManaged && product.isCounted && !product.isInStock)
    return one(
      'is_any_source_item_in_stock-no_source_items_in_stock',
      'There are no source items with the in stock status',
    );
  if (!product.isQtyDecimal && !isWhole(qty))
    return one('is_correct_qty-is_qty_decimal', 'You cannot use decimal quantity for this product.');
  if (qty < minimumQuantity) return one('is_correct_qty-min_sale_qty', 'The fewest you may purchase is 1.');
  if (qty > most)
    return one('is_correct_qty-max_sale_qty', 'The requested qty exceeds the maximum qty allowed in shopping cart');
  if (!product.isManaged || (product.isCounted && (product.allowsBackorders || qty <= product.quantity))) return [];
  return [
    ...(product.allowsBackorders ? [] : one('back_order-disabled', 'Backorders are disabled')),
    ...one('manage_stock-enabled', 'Manage stock is enabled'),
    ...(product.isCounted
      ? one('is_salable_with_reservations-not_enough_qty', 'Not enough items for sale')
      : one('is_salable_with_reservations-no_data', 'The requested sku is not assigned to given stock')),
  ];
}

const one = (code: string, message: string): QuantityError[] => [{ code, message }];
