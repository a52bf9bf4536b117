import type { AnyRoute } from '../../http/route.ts';
import { getCategoryAttribute, listCategoryAttributeOptions, listCategoryAttributes } from './category-attributes.ts';
import { assignProductRoutes, listCategoryProductsRoute, unassignProductRoute } from './category-products.ts';
import { getCategory, getCategoryTree, listCategories } from './get-category.ts';
import { createCategoryRoute, deleteCategoryRoute, moveCategoryRoute, updateCategory } from './save-category.ts';

/** The categories of the catalog, their attributes and their products (platform facts 9.1, 12.2). */
export const categoryRoutes: readonly AnyRoute[] = [
  getCategoryTree,
  listCategories,
  getCategory,
  createCategoryRoute,
  updateCategory,
  moveCategoryRoute,
  deleteCategoryRoute,
  listCategoryProductsRoute,
  ...assignProductRoutes,
  unassignProductRoute,
  listCategoryAttributes,
  getCategoryAttribute,
  listCategoryAttributeOptions,
];
