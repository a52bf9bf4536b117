/** Resources of the ACL (platform facts 1.2, 12.1). */

const platformPrefix = 'Platform_';
const stockPrefix = 'Magento_';

/** Grants every resource there is. */
export const everyResource = 'Platform_Backend::all';

/** The spelling we keep and answer: `Magento_Sales::create` is `Platform_Sales::create` here. */
export const canonicalResource = (resource: string) =>
  resource.startsWith(stockPrefix) ? platformPrefix + resource.slice(stockPrefix.length) : resource;

/** Whether these grants, in either spelling, hold the resource; a parent does not grant its children. */
export const grants = (granted: readonly string[], resource: string) => {
  const wanted = canonicalResource(resource);
  return granted.some((one) => {
    const name = canonicalResource(one);
    return name === wanted || name === everyResource;
  });
};

/**
 * What activates a device (spec 4.2): only for set-up, so that a lost register cannot change terminals or locations.
 */
export const setUpResources = ['Vendor_Pos::locations', 'Vendor_Pos::locations_manage'] as const;

/** What one register's integration token needs (platform facts 12.1). */
export const registerResources = [
  'Vendor_Pos::locations',
  'Vendor_Pos::receipts',
  'Vendor_Pos::staff_manage',
  'Platform_Sales::create',
  'Platform_Sales::actions_view',
  'Platform_Sales::invoice',
  'Platform_Sales::ship',
  'Platform_Sales::comment',
  'Platform_Sales::cancel',
  'Platform_Sales::creditmemo',
  'Platform_Sales::sales_invoice',
  'Platform_Sales::sales_creditmemo',
  'Platform_Sales::transactions_fetch',
  'Platform_Catalog::products',
  'Platform_Catalog::categories',
  'Platform_Catalog::catalog_inventory',
  'Platform_Catalog::attributes_attributes',
  'Platform_Customer::customer',
  'Platform_Customer::manage',
  'Platform_Customer::group',
  'Platform_Backend::store',
  'Platform_Tax::manage_tax',
  'Platform_SalesRule::quote',
  'Platform_InventoryApi::source',
  'Platform_InventorySalesApi::stock',
] as const;
