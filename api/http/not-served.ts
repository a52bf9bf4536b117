/**
 * Paths of the platform that are not served, or not by every verb, where a route of ours has a variable. Without this list
 * `GET /V1/products/types` would be answered as a product that is not there, and `DELETE /V1/products/attributes` would look
 * for one to delete (platform facts 2.3). A word that only begins longer paths, such as `links/types`, is no part of it: a
 * product may have it for a sku, and no route of ours has a variable where those paths go on.
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
