import type { EntityManager } from '@mikro-orm/postgresql';
import { coinOf } from '../../../domain/money/coins.ts';
import { priceOfPiece } from '../../../domain/platform/carts/piece-price.ts';
import type { PricedLine } from '../../../domain/platform/carts/cart-totals.ts';
import type { CartSettings } from '../../../domain/platform/carts/shop-choices.ts';
import { taxOf, type LineTax, type TaxPlace } from '../../../domain/platform/carts/tax-percent.ts';
import { readTaxRates } from '../tax/read-tax-rates.ts';
import { readCartFixedTaxes } from './read-cart-fixed-taxes.ts';
import type { Cart } from './read-cart.ts';
import { readLowerPrices } from './read-lower-prices.ts';

export interface CartPrices {
  /** In base currency. */
  lines: readonly PricedLine[];
  /** By line; undefined for a line without tax. */
  taxRates: readonly (LineTax | undefined)[];
}

/** What one piece of each line costs now, and how it is taxed at a place (platform facts 9). */
export async function readPricedLines(
  em: EntityManager,
  cart: Cart,
  { settings, place, now }: { settings: CartSettings; place: TaxPlace; now: Date },
): Promise<CartPrices> {
  const rates = await readTaxRates(em, place, cart.customer.taxClassId);
  const taxRates = cart.lines.map((line) => taxOf(rates, line.taxClassId));
  const lower = await readLowerPrices(em, cart, now);
  const fixedTaxes = await readCartFixedTaxes(em, cart, { settings, place });
  const buyer = { groupId: cart.customer.groupId, websiteId: cart.websiteId, coin: coinOf(cart.baseCurrencyCode) };
  const lines = cart.lines.map((line, at) => ({
    unitPrice: priceOfPiece({ ...line, lower: lower.get(line.productId) ?? [] }, { ...buyer, qty: line.qty }),
    qty: line.qty,
    taxPercent: taxRates[at]?.percent ?? 0,
    fixedTaxes: fixedTaxes[at] ?? [],
  }));
  return { lines, taxRates };
}
