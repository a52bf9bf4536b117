import type { MikroORM } from '@mikro-orm/postgresql';
import { readContractPrices } from '../../db/prices/read-contract-prices.ts';
import { contractPrice } from '../../domain/prices/contract-price.ts';
import { skuKey } from '../../domain/platform/catalog/sku-key.ts';
import type { PriceResolver } from './price-resolver.ts';

/** Contract prices from the shop's own database (`pos prices load`), read in one statement. */
export const createContractPrices = (orm: MikroORM): PriceResolver => ({
  code: 'contract',
  async resolve({ products, customerId, websiteId }) {
    const skus = products.map(({ sku }) => sku);
    const steps = Map.groupBy(await readContractPrices(orm.em.fork(), { customerId, websiteId, skus }), ({ sku }) =>
      skuKey(sku),
    );
    return new Map(
      products.flatMap((product) => {
        const price = contractPrice(product.price, steps.get(skuKey(product.sku)) ?? []);
        return price ? [[product.sku, price] as const] : [];
      }),
    );
  },
});
