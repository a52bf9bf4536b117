import type { AnyRoute } from '../../http/route.ts';
import { deleteSourceItemsRoute } from './delete-source-items.ts';
import { linkSourcesRoute, unlinkSourcesRoute } from './link-sources.ts';
import { createSource, updateSource } from './save-source.ts';
import { createStock, deleteStockRoute, updateStock } from './save-stock.ts';
import { listSourceSelectionAlgorithms, selectSourcesRoute } from './select-sources.ts';
import { getStockStatus, listLowStock } from './stock-statuses.ts';

/** Routes for opening shops and choosing sources (platform facts 10). */
export const inventoryRoutes: readonly AnyRoute[] = [
  createSource,
  updateSource,
  deleteSourceItemsRoute,
  createStock,
  updateStock,
  deleteStockRoute,
  linkSourcesRoute,
  unlinkSourcesRoute,
  listSourceSelectionAlgorithms,
  selectSourcesRoute,
  getStockStatus,
  listLowStock,
];
