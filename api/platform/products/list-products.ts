import { z } from 'zod';
import { productAt } from '../../../db/platform/catalog/read-products.ts';
import { searchProducts } from '../../../db/platform/catalog/search-products.ts';
import { route } from '../../http/route.ts';
import { listAnswer } from '../../wire/schemas.ts';
import { renderList, searchCriteria, unknownField } from '../../wire/search-criteria.ts';
import { productAnswer } from './product-answer.ts';
import { renderProduct } from './render-product.ts';

/**
 * Searches products by `searchCriteria` (platform facts 3, 9.1). `category_id` and `website_id` find the products of a
 * category or website.
 */
export const listProducts = route({
  method: 'GET',
  path: '/V1/products',
  acl: 'Platform_Catalog::products',
  summary: 'Search products',
  name: 'listProducts',
  description: `Found and answered in the words of the path’s store view. \`category_id\` and \`website_id\` ask for
    membership. Prices are in the base currency, before tax. Stock items and fixed taxes come with the single read
    only. \`searchCriteria\` is required: send \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  query: z.object({ searchCriteria }),
  response: listAnswer(productAnswer),

  async handle({ reader, query: { searchCriteria: criteria }, store }) {
    const { rows, totalCount } = await searchProducts(reader, criteria, store);
    return renderList(
      criteria,
      rows.map((row) => renderProduct(productAt(row, store))),
      totalCount,
    );
  },
});
