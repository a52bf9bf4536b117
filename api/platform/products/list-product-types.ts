import { z } from 'zod';
import { productTypes } from '../../../db/platform/catalog/product.entity.ts';
import { route } from '../../http/route.ts';

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
