import type { AnyRoute } from '../http/route.ts';
import { listCatalogRulePrices } from './list-catalog-rule-prices.ts';
import { listFixedProductTaxes } from './list-fixed-product-taxes.ts';

/** Feeds that a register keeps to sell offline (spec 4.5): a part of the list of all routes. */
export const feedRoutes: readonly AnyRoute[] = [listCatalogRulePrices, listFixedProductTaxes];
