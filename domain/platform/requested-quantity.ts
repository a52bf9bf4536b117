import { none, type Quantity } from '../money/quantity.ts';
import { brokenRule, type QuantityRules } from './quantity-rules.ts';

/** How a product stands in a stock. */
export interface StockStanding extends QuantityRules {
  /** Whether a source of the stock has, or had, some of it. */
  isAssigned: boolean;
  /** Whether such a source is enabled: others count for nothing. */
  isCounted: boolean;
  isManaged: boolean;
  isInStock: boolean;
  allowsBackorders: boolean;
  /** How many are salable. */
  quantity: Quantity;
}

export interface QuantityError {
  code: string;
  message: string;
}

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
  const broken = brokenRule(product, qty);
  if (broken) return one(broken.code, broken.message.replace('%1', String(broken.parameters[0])));
  // Nothing can be sold of nothing, also where the product has no least quantity.
  if (qty <= none) return one('is_correct_qty-min_sale_qty', 'The fewest you may purchase is 1.');
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
