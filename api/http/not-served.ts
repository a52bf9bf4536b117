/**
 * Paths of the platform that are not served, or not by every verb, where one of our routes has a variable. Without
 * this list `GET /V1/products/types` would be answered as an unknown product, and `DELETE /V1/products/attributes`
 * would look for one to delete (platform facts 2.3). Words that only begin longer paths, such as `media/types`, are
 * not listed: a product's sku may be such a word, and none of our routes has a variable there.
 */
export const notServed: readonly string[] = [
  '/V1/products/attributes',
  '/V1/products/attributes/types',
  '/V1/products/attributes/metadata',
  '/V1/products/types',
  '/V1/products/attribute-sets',
  '/V1/products/attribute-sets/sets',
  '/V1/products/attribute-sets/groups',
  '/V1/products/attribute-sets/attributes',
  '/V1/products/base-prices',
  '/V1/products/special-price',
  '/V1/products/tier-prices',
  '/V1/products/downloadable-links',
  '/V1/products-render-info',
  '/V1/customerGroups/default',
  '/V1/customers/validate',
  '/V1/customers/isEmailAvailable',
  '/V1/customers/confirm',
  '/V1/customers/password',
  '/V1/customers/addresses',
  '/V1/customers/resetPassword',
  '/V1/customers/me',
  '/V1/shipment/track',
];
