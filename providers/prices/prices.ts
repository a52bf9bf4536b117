import type { MikroORM } from '@mikro-orm/postgresql';
import { createContractPrices } from './contract-prices.ts';
import { groupPrices } from './group-prices.ts';
import type { PriceResolver } from './price-resolver.ts';
import { createPriceService, type PriceServiceSettings } from './price-service.ts';

/**
 * Who knows prices of a customer, in the order in which they are asked (spec 4.5): the first that knows one has the word. A module
 * with companies puts its own between the group's and the contracts'.
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
