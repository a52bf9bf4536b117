import type { MikroORM } from '@mikro-orm/postgresql';
import { createContractPrices } from './contract-prices.ts';
import { groupPrices } from './group-prices.ts';
import type { PriceResolver } from './price-resolver.ts';
import { createPriceService, type PriceServiceSettings } from './price-service.ts';

/**
 * The price resolvers, in the order in which they are asked (spec 4.5): the first price found counts. A module for
 * companies would register between the group's and the contracts' resolvers.
 */
export const createPrices = ({
  orm,
  service,
}: {
  orm: MikroORM;
  service: PriceServiceSettings | undefined;
}): readonly PriceResolver[] => [
  groupPrices,
  createContractPrices(orm),
  ...(service === undefined ? [] : [createPriceService(service)]),
];
