import {
  createAdminToken,
  createCustomerToken,
  revokeCustomerToken,
  getCountry,
  getCurrency,
  listCountries,
} from './platform/access.ts';
import { cartRoutes } from './platform/carts/cart-routes.ts';
import type { CartWiring } from './platform/carts/place-cart.ts';
import { catalogRuleRoutes } from './platform/catalog-rules.ts';
import { categoryRoutes } from './platform/categories/categories.ts';
import { categoryAttributeRoutes, categoryProductRoutes } from './platform/categories/category-products.ts';
import { creditMemoRoutes } from './platform/credit-memos/credit-memo-routes.ts';
import { commentInvoice, type RefundOnline, type MailDocument } from './http/route-kinds.ts';
import type { CreditMemoWiring } from './platform/credit-memos/credit-memo-payload.ts';
import { customerRoutes } from './platform/customers/customers.ts';
import { customerGroupRoutes } from './platform/customers/customer-groups.ts';
import type { AccountMails } from './platform/customers/password-reset.ts';
import type { SubscriberHooks } from './platform/customers/own-account.ts';
import {
  areProductsSalable,
  areQuantitiesSalable,
  getSalableQuantity,
  isProductSalable,
  isQuantitySalable,
} from './platform/inventory/salability.ts';
import { inventoryRoutes } from './platform/inventory/inventory-routes.ts';
import { listSourceItems, saveSourceItems, transferStockRoute } from './platform/inventory/stocks.ts';
import {
  captureInvoice,
  createInvoiceRoute,
  getInvoice,
  listInvoiceComments,
  listInvoices,
  saveInvoiceRoute,
  voidInvoice,
  type AfterInvoiceSave,
} from './platform/invoices.ts';
import {
  cancelOrderRoute,
  getOrder,
  holdOrderRoute,
  listOrders,
  saveOrderRoutes,
  type AfterOrderSave,
  type OrderSaving,
} from './platform/orders/orders.ts';
import {
  commentOrderRoute,
  getOrderItem,
  getOrderStatus,
  listOrderComments,
  mailRoutes,
  listOrderItems,
  unholdOrderRoute,
  saveOrderAddressRoute,
} from './platform/orders/save-order-address.ts';
import { configurableProductRoutes } from './platform/products/configurable-products.ts';
import { searchStorefrontRoute } from './platform/products/search-storefront.ts';
import {
  createProduct,
  getProduct,
  updateProduct,
  listProductTypes,
  listProducts,
} from './platform/products/products.ts';
import { attributeGroupRoutes } from './platform/products/attribute-groups.ts';
import { attributeSetRoutes } from './platform/products/attribute-sets.ts';
import { attributesOfSetRoutes } from './platform/products/attributes-of-set.ts';
import { deleteProductRoute, groupPriceRoutes, productWebsiteRoutes } from './platform/products/product-websites.ts';
import { productLinkRoutes } from './platform/products/product-links.ts';
import { getStockItem, updateStockItem } from './platform/products/stock-item.ts';
import { customOptionRoutes } from './platform/products/custom-options.ts';
import { productAttributeRoutes } from './platform/products/product-attributes.ts';
import {
  storedPriceRoutes,
  storedTierPriceRoutes,
  storedSpecialPriceRoutes,
} from './platform/products/stored-prices.ts';
import { mediaRoutes } from './platform/products/product-media.ts';
import { couponRoutes } from './platform/sales-rules/coupons.ts';
import { salesRuleRoutes } from './platform/sales-rules/sales-rules.ts';
import { shipmentRoutes } from './platform/shipments/shipment-routes.ts';
import {
  listModules,
  listStoreConfigs,
  listStoreGroups,
  getStoreView,
  listStoreViews,
  listWebsites,
} from './platform/stores.ts';
import { taxClassRoutes, taxRuleRoutes } from './platform/tax/tax-rules.ts';
import { taxRateRoutes } from './platform/tax/tax-rates.ts';
import { getTransaction, listTransactions } from './platform/transactions.ts';
import type { AnyRoute } from './http/route.ts';

/** Hooks into the platform's own records, in the transactions that write them. */
export interface PlatformHooks {
  orderSaveHooks: OrderSaving['hooksFor'];
  placeOrder: OrderSaving['place'];
  memoHooks: CreditMemoWiring['hooksFor'];
  refundOnline: RefundOnline;
  mailDocument: MailDocument;
  cancelHooks: Parameters<typeof cancelOrderRoute>[0];
  cartTenders: CartWiring['sources'];
  subscriberHooks: SubscriberHooks;
  accountMails: AccountMails;
  /** The names of the modules that pass these hooks in, for `GET /V1/modules`. */
  ownModules: readonly string[];
  /** After the transactions. */
  afterOrderSave: AfterOrderSave;
  afterInvoiceSave: AfterInvoiceSave;
}

/** The routes of the embedded commerce platform. The point of sale passes its hooks in. */
export const platformRoutes = ({
  orderSaveHooks,
  placeOrder,
  memoHooks,
  refundOnline,
  mailDocument,
  cancelHooks,
  cartTenders,
  subscriberHooks,
  accountMails,
  ownModules,
  afterOrderSave,
  afterInvoiceSave,
}: PlatformHooks): readonly AnyRoute[] => [
  createAdminToken,
  createCustomerToken,
  revokeCustomerToken,
  listStoreViews,
  getStoreView,
  listWebsites,
  listStoreGroups,
  listStoreConfigs,
  listModules(ownModules),
  listCountries,
  getCountry,
  getCurrency,
  listProducts,
  searchStorefrontRoute,
  getProduct,
  createProduct,
  updateProduct,
  deleteProductRoute,
  ...mediaRoutes,
  ...storedPriceRoutes,
  ...storedSpecialPriceRoutes,
  ...storedTierPriceRoutes,
  ...groupPriceRoutes,
  ...productLinkRoutes,
  ...productWebsiteRoutes,
  ...configurableProductRoutes,
  listProductTypes,
  ...customOptionRoutes,
  ...productAttributeRoutes,
  ...attributesOfSetRoutes,
  ...attributeGroupRoutes,
  ...attributeSetRoutes,
  getStockItem,
  updateStockItem,
  ...categoryRoutes,
  ...categoryProductRoutes,
  ...categoryAttributeRoutes,
  listSourceItems,
  saveSourceItems,
  ...inventoryRoutes,
  transferStockRoute,
  getSalableQuantity,
  isProductSalable,
  areProductsSalable,
  isQuantitySalable,
  areQuantitiesSalable,
  ...taxRateRoutes,
  ...taxRuleRoutes,
  ...taxClassRoutes,
  ...catalogRuleRoutes,
  ...salesRuleRoutes,
  ...couponRoutes,
  ...customerRoutes(subscriberHooks, accountMails),
  ...customerGroupRoutes,
  ...cartRoutes({ sources: cartTenders, hooksFor: orderSaveHooks }),
  ...saveOrderRoutes({
    hooksFor: orderSaveHooks,
    cancelHooksFor: cancelHooks,
    place: placeOrder,
    afterSave: afterOrderSave,
  }),
  saveOrderAddressRoute,
  listOrders,
  getOrder,
  getOrderStatus,
  listOrderItems,
  getOrderItem,
  listOrderComments,
  commentOrderRoute,
  cancelOrderRoute(cancelHooks),
  holdOrderRoute,
  unholdOrderRoute,
  createInvoiceRoute(mailDocument),
  listInvoices,
  getInvoice,
  listInvoiceComments,
  commentInvoice,
  saveInvoiceRoute(afterInvoiceSave),
  captureInvoice(afterInvoiceSave),
  voidInvoice,
  ...shipmentRoutes(mailDocument),
  ...creditMemoRoutes({ hooksFor: memoHooks, refundOnline, mailDocument }),
  ...mailRoutes(mailDocument),
  listTransactions,
  getTransaction,
];
