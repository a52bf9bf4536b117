import { isWhole, none, quantityToWire, type Quantity } from '../money/quantity.ts';
import type { StockRules } from './stock-rules.ts';

/** The rules of a product for the quantity of one sale. */
export interface QuantityRules extends Omit<StockRules, 'backorders'> {
  isQtyDecimal: boolean;
}

/** Why a quantity cannot be sold: the platform's code, and its sentence with what belongs in it. */
export interface BrokenRule {
  code: string;
  message: string;
  parameters: readonly number[];
}

/**
 * The first rule that a quantity breaks, in the platform's codes and words (platform facts 10). A most of zero is none.
 * Steps count from zero, and only where they are enabled.
 */
export function brokenRule(rules: QuantityRules, qty: Quantity): BrokenRule | undefined {
  const { isQtyDecimal, minSaleQty, maxSaleQty, enableQtyIncrements, qtyIncrements } = rules;
  if (!isQtyDecimal && !isWhole(qty))
    return because('is_qty_decimal', 'You cannot use decimal quantity for this product.');
  if (qty < minSaleQty) return because('min_sale_qty', 'The fewest you may purchase is %1.', minSaleQty);
  if (maxSaleQty > none && qty > maxSaleQty)
    return because('max_sale_qty', 'The requested qty exceeds the maximum qty allowed in shopping cart');
  if (enableQtyIncrements && qtyIncrements > none && qty % qtyIncrements !== 0)
    return because('qty_increment', 'You can buy this product only in quantities of %1 at a time.', qtyIncrements);
  return undefined;
}

const because = (rule: string, message: string, ...values: Quantity[]): BrokenRule => ({
  code: `is_correct_qty-${rule}`,
  message,
  parameters: values.map(quantityToWire),
});
