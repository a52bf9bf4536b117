import type { AnyRoute } from '../../http/route.ts';
import { deleteSourceItemsRoute } from './source-items.ts';
import { linkSourcesRoute, listStockSourceLinks, unlinkSourcesRoute } from './stock-source-links.ts';
import { sourceRoutes } from './sources.ts';
import { stockRoutes } from './stocks.ts';
import { listSourceSelectionAlgorithms, selectSourcesRoute } from './select-sources.ts';
import { getStockStatus, listLowStock } from './stock-statuses.ts';

/** Routes for opening shops and choosing sources (platform facts 10). */
export const inventoryRoutes: readonly AnyRoute[] = [
  ...sourceRoutes,
  deleteSourceItemsRoute,
  ...stockRoutes,
  listStockSourceLinks,
  linkSourcesRoute,
  unlinkSourcesRoute,
  listSourceSelectionAlgorithms,
  selectSourcesRoute,
  getStockStatus,
  listLowStock,
];
