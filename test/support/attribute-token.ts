import type { TestApi } from './api.ts';

/** The token of who keeps the attributes, the sets and the products of a shop. */
export const attributeToken = (api: TestApi): Promise<string> =>
  api.tokenFor('Magento_Catalog::attributes_attributes', 'Magento_Catalog::sets', 'Magento_Catalog::products');
