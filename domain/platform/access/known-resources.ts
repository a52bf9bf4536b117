import { canonicalResource } from './acl.ts';

/** Every resource that a route asks for, and the one that grants all of them; a test holds it to the routes. */
export const knownResources = [
  'Platform_Backend::admin',
  'Platform_Backend::all',
  'Platform_Backend::store',
  'Platform_Cart::manage',
  'Platform_Catalog::attributes_attributes',
  'Platform_Catalog::catalog',
  'Platform_Catalog::catalog_inventory',
  'Platform_Catalog::categories',
  'Platform_Catalog::products',
  'Platform_Catalog::sets',
  'Platform_CatalogRule::promo_catalog',
  'Platform_Cms::block',
  'Platform_Cms::page',
  'Platform_Cms::page_delete',
  'Platform_Cms::save',
  'Platform_Customer::customer',
  'Platform_Customer::delete',
  'Platform_Customer::group',
  'Platform_Customer::manage',
  'Platform_InventoryApi::source',
  'Platform_InventoryApi::source_edit',
  'Platform_InventoryApi::stock',
  'Platform_InventoryApi::stock_delete',
  'Platform_InventoryApi::stock_edit',
  'Platform_InventoryApi::stock_source_item_assign',
  'Platform_InventoryApi::stock_source_link',
  'Platform_InventorySalesApi::stock',
  'Platform_InventorySourceSelectionApi::source_selection_algorithm_list',
  'Platform_InventorySourceSelectionApi::source_selection_algorithm_post',
  'Platform_Logging::system_magento_logging_bulk_operations',
  'Platform_Rma::magento_rma',
  'Platform_Rma::rma_attribute',
  'Platform_Sales::actions_view',
  'Platform_Sales::cancel',
  'Platform_Sales::comment',
  'Platform_Sales::create',
  'Platform_Sales::creditmemo',
  'Platform_Sales::emails',
  'Platform_Sales::hold',
  'Platform_Sales::invoice',
  'Platform_Sales::sales_creditmemo',
  'Platform_Sales::sales_invoice',
  'Platform_Sales::ship',
  'Platform_Sales::shipment',
  'Platform_Sales::transactions_fetch',
  'Platform_Sales::unhold',
  'Platform_SalesRule::quote',
  'Platform_Tax::manage_tax',
  'Vendor_Cms::category_attribute',
  'Vendor_Cms::product_attribute',
  'Vendor_Cms::schedule',
  'Vendor_Cms::snippet',
  'Vendor_Cms::template',
  'Vendor_Pos::credit_limits_manage',
  'Vendor_Pos::events_manage',
  'Vendor_Pos::locations',
  'Vendor_Pos::locations_manage',
  'Vendor_Pos::pos',
  'Vendor_Pos::receipts',
  'Vendor_Pos::staff_manage',
  'Vendor_Pos::staff_manage_edit',
  'Vendor_Pos::staff_roles',
  'Vendor_Pos::staff_roles_manage',
  'Vendor_StoreCredit::balance_adjust',
  'Vendor_StoreCredit::balance_view',
] as const;

/** So many are named where one was misspelled. */
const mostNamed = 5;

/** Words with fewer letters alike are not named. */
const mostUnlike = 0.5;

/** Whether a route asks for it, in either spelling. */
export const isKnownResource = (resource: string) => {
  const wanted = canonicalResource(resource);
  return knownResources.some((one) => one === wanted);
};

/** What a misspelled one may have meant, the likeliest first; all that there are, where nothing is like it. */
export function likelyResources(resource: string): string {
  const wanted = canonicalResource(resource).toLowerCase();
  const [module = ''] = wanted.split('::');
  const near = knownResources
    .map((one) => ({ one, unlike: unlikeness(wanted, one.toLowerCase()) }))
    .toSorted((one, other) => one.unlike - other.unlike)
    .filter(({ one, unlike }) => unlike < mostUnlike || one.toLowerCase().startsWith(`${module}::`))
    .slice(0, mostNamed);
  return near.length === 0 ? knownResources.join(', ') : near.map(({ one }) => one).join(', ');
}

/** The part of the letter pairs of both words that only one of them has: 0 for the same word, 1 for nothing alike. */
function unlikeness(one: string, other: string): number {
  const [ofOne, ofOther] = [pairsOf(one), pairsOf(other)];
  const shared = ofOne.filter((pair) => ofOther.includes(pair)).length;
  return 1 - (2 * shared) / Math.max(1, ofOne.length + ofOther.length);
}

const pairsOf = (word: string) => [...new Set(Array.from(word.slice(1), (letter, at) => `${word[at]}${letter}`))];
