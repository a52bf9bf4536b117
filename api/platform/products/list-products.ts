import { searchProducts } from '../../../db/platform/catalog/search-products.ts';
import { listRoute } from '../../support/list-route.ts';
import { productAnswer } from './product-answer.ts';
import { renderProduct } from './render-product.ts';

/**
 * Products found by `searchCriteria` (platform facts 3, 9.1); `category_id` and `website_id` ask for membership.
 *
 * Prices are in the base currency, before tax. Stock items and fixed taxes come in the single read only.
 */
export const listProducts = listRoute({
  path: '/V1/products',
  acl: 'Platform_Catalog::products',
  summary: 'Search products',
  answer: productAnswer,
  find: searchProducts,
  render: renderProduct,
});
