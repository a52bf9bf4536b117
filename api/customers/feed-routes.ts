import type { AnyRoute } from '../http/route.ts';
import { listCatalogRulePrices } from './list-catalog-rule-prices.ts';
import { listFixedProductTaxes } from './list-fixed-product-taxes.ts';

/** What a register keeps to sell without a line (spec 4.5), its part of the one list of every route. */
export const feedRoutes: readonly AnyRoute[] = [listCatalogRulePrices, listFixedProductTaxes];
