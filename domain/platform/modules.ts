/** The platform's modules whose routes are served, in whole or in part, under the names that its clients look for. */
export const platformModules: readonly string[] = [
  ...['Store', 'Directory', 'Eav', 'Backend', 'Authorization', 'Integration', 'Webapi', 'WebapiAsync', 'User'],
  ...['Customer', 'Catalog', 'CatalogInventory', 'CatalogRule', 'Tax', 'Weee', 'SalesRule', 'Quote', 'Payment'],
  ...['Sales', 'Newsletter', 'Wishlist', 'Cms', 'GraphQl', 'Inventory', 'InventoryApi', 'InventoryCatalog'],
  ...['InventoryCatalogApi', 'InventorySales', 'InventorySalesApi', 'InventoryReservations'],
  ...['InventorySourceSelection', 'InventorySourceSelectionApi'],
].map((name) => `Magento_${name}`);
