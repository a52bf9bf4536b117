import { invalid, invalidValue } from '../../errors.ts';
import { none, plus, quantityToWire, type Quantity } from '../../money/quantity.ts';
import { brokenRule, type QuantityRules } from '../quantity-rules.ts';

/** The fields of a product that decide whether a cart may hold it. */
export interface Offered {
  typeId: string;
  isEnabled: boolean;
  isOnWebsite: boolean;
}

/** The product's standing in the shop's stock; `isLimited` where no more may be promised than is salable. */
export interface Stocked extends QuantityRules {
  isLimited: boolean;
  salable: Quantity;
}

/** Refused with: 400 a quantity of zero or less. */
export function requireSome(qty: Quantity): Quantity {
  if (qty > none) return qty;
  throw invalidValue('qty', quantityToWire(qty));
}

/**
 * The quantity of a product in a cart after adding some to what it holds.
 *
 * Refused with 400, in the platform's words: a disabled product or one of another website · one whose options must be
 * chosen first · a part of a product sold whole · fewer or more than one may buy, or not in its steps · more than the shop
 * has.
 */
export function quantityInCart(product: Offered & Stocked, held: Quantity, added: Quantity): Quantity {
  requireSellable(product);
  const wanted = plus(held, added);
  requireEnough(product, wanted);
  return wanted;
}

/** Refused with: 400 a product that cannot be bought here, or not without choosing its options. */
export function requireSellable(product: Offered): void {
  requireOffered(product);
  if (product.typeId !== 'simple' && product.typeId !== 'virtual') throw optionsMissing();
}

/** Refused with: 400 a disabled product, or one of another website. */
export function requireOffered({ isEnabled, isOnWebsite }: Omit<Offered, 'typeId'>): void {
  if (!isEnabled || !isOnWebsite) throw invalid('Product that you are trying to add is not available.');
}

/** 400: it is not known yet which product is meant. */
export const optionsMissing = () => invalid('You need to choose options for your item.');

/** Refused with: 400 a quantity that the product's rules forbid · more than is salable. */
export function requireEnough(product: Stocked, wanted: Quantity): void {
  const broken = brokenRule(product, wanted);
  if (broken) throw invalid(broken.message, broken.parameters);
  if (product.isLimited && wanted > product.salable) throw invalid('The requested qty is not available');
}
