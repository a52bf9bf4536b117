import { coinOf } from '../../domain/money/coins.ts';
import { groupPrice } from '../../domain/prices/group-price.ts';
import type { PriceResolver } from './price-resolver.ts';

/** The group prices of the catalog; they came with the products, so nothing is read. */
export const groupPrices: PriceResolver = {
  code: 'customer_group',
  async resolve({ products, groupId, websiteId, currencyCode }) {
    const buyer = { groupId, websiteId, coin: coinOf(currencyCode) };
    return new Map(
      products.flatMap((product) => {
        const price = groupPrice(product, buyer);
        return price ? [[product.sku, price] as const] : [];
      }),
    );
  },
};
