import { invalid, invalidValue } from '../../errors.ts';
import { isWhole, none, pieces, plus, quantityToWire, type Quantity } from '../../money/quantity.ts';

/** The platform's default for the most of one product that a cart takes. */
const mostOfOne = pieces(10_000);

/** A product as far as it decides whether it may lie in a cart. */
export interface Offered {
  typeId: string;
  isEnabled: boolean;
  isOnWebsite: boolean;
  isQtyDecimal: boolean;
}

/** How it stands in the shop's stock; `isLimited` where no more may be promised than there is. */
export interface Stocked {
  isLimited: boolean;
  salable: Quantity;
}

/** What a caller asks for must be something. Refused with: 400 nothing, or less. */
export function requireSome(qty: Quantity): Quantity {
  if (qty > none) return qty;
  throw invalidValue('qty', quantityToWire(qty));
}

/**
 * How many of a product a cart will hold, when so many are added to what it holds.
 *
 * Refused with 400, in the platform's words: a product that is disabled or of another website · one whose options must
 * be chosen first · parts of what is sold whole · more than the shop lets anybody take, or has.
 */
export function quantityInCart(product: Offered & Stocked, held: Quantity, added: Quantity): Quantity {
  requireSellable(product);
  const wanted = plus(held, added);
  if (!product.isQtyDecimal && !isWhole(wanted)) throw invalid('You cannot use decimal quantity for this product.');
  if (wanted > mostOfOne) throw invalid('The requested qty exceeds the maximum qty allowed in shopping cart');
  requireEnough(product, wanted);
  return wanted;
}

/** Refused with: 400 a product nobody may buy here, or not without choosing. */
export function requireSellable({ typeId, isEnabled, isOnWebsite }: Offered): void {
  if (!isEnabled || !isOnWebsite) throw invalid('Product that you are trying to add is not available.');
  if (typeId !== 'simple' && typeId !== 'virtual') throw invalid('You need to choose options for your item.');
}

/** Refused with: 400 more than may be promised. */
export function requireEnough({ isLimited, salable }: Stocked, wanted: Quantity): void {
  if (isLimited && wanted > salable) throw invalid('The requested qty is not available');
}
