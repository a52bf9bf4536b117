import { z } from 'zod';
import { productTypes } from '../../../db/platform/catalog/product.entity.ts';
import { searchProducts } from '../../../db/platform/catalog/products.ts';
import { productAt } from '../../../db/platform/catalog/read-products.ts';
import { attributeNameNotValid } from '../../../domain/refusals/platform.ts';
import { route } from '../../http/route.ts';
import { renderList, searchCriteria } from '../../wire/criteria.ts';
import { listAnswer } from '../../wire/schemas.ts';
import { productAnswer, renderProduct } from './render-product.ts';

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
  outcomes: [attributeNameNotValid],
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

const labels: Record<(typeof productTypes)[number], string> = {
  simple: 'Simple Product',
  virtual: 'Virtual Product',
  configurable: 'Configurable Product',
  bundle: 'Bundle Product',
  grouped: 'Grouped Product',
  downloadable: 'Downloadable Product',
};

const types = productTypes.map((name) => ({ name, label: labels[name] }));

/** The types a product may have (platform facts 9.1). */
export const listProductTypes = route({
  method: 'GET',
  path: '/V1/products/types',
  acl: 'Platform_Catalog::products',
  name: 'listProductTypes',
  summary: 'List the types of products',
  description: 'What `type_id` of a product may be.',
  outcomes: [],
  examples: [{ title: 'All', response: types }],
  response: z.array(z.object({ name: z.string(), label: z.string() })),
  handle: async () => types,
});
