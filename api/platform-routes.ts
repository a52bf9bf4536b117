import { createAdminToken } from './platform/access/create-admin-token.ts';
import { createCustomerToken } from './platform/access/create-customer-token.ts';
import { revokeCustomerToken } from './platform/access/revoke-customer-token.ts';
import { cartRoutes } from './platform/carts/cart-routes.ts';
import type { CartWiring } from './platform/carts/cart-wiring.ts';
import { catalogRuleRoutes } from './platform/catalog-rules/catalog-rules.ts';
import { categoryRoutes } from './platform/categories/categories.ts';
import { categoryAttributeRoutes } from './platform/categories/category-attributes.ts';
import { categoryProductRoutes } from './platform/categories/category-products.ts';
import { creditMemoRoutes } from './platform/credit-memos/credit-memo-routes.ts';
import type { RefundOnline } from './http/refund-online.ts';
import type { CreditMemoWiring } from './platform/credit-memos/credit-memo-wiring.ts';
import { customerRoutes } from './platform/customers/customers.ts';
import { customerGroupRoutes } from './platform/customers/customer-groups.ts';
import type { AccountMails } from './platform/customers/account-mails.ts';
import type { SubscriberHooks } from './platform/customers/subscriber-hooks.ts';
import { getCountry } from './platform/directory/get-country.ts';
import { getCurrency } from './platform/directory/get-currency.ts';
import { listCountries } from './platform/directory/list-countries.ts';
import {
  areProductsSalable,
  areQuantitiesSalable,
  getSalableQuantity,
  isProductSalable,
  isQuantitySalable,
} from './platform/inventory/salability.ts';
import { inventoryRoutes } from './platform/inventory/inventory-routes.ts';
import { listSourceItems, saveSourceItems } from './platform/inventory/source-items.ts';
import { transferStockRoute } from './platform/inventory/transfer-stock.ts';
import { captureInvoice, type AfterInvoiceSave } from './platform/invoices/capture-invoice.ts';
import { createInvoiceRoute } from './platform/invoices/create-invoice.ts';
import { getInvoice } from './platform/invoices/get-invoice.ts';
import { listInvoiceComments } from './platform/invoices/list-invoice-comments.ts';
import { listInvoices } from './platform/invoices/list-invoices.ts';
import { saveInvoiceRoute } from './platform/invoices/save-invoice.ts';
import { voidInvoice } from './platform/invoices/void-invoice.ts';
import { cancelOrderRoute } from './platform/orders/cancel-order.ts';
import { commentOrderRoute } from './platform/orders/comment-order.ts';
import { getOrderItem } from './platform/orders/get-order-item.ts';
import { getOrderStatus } from './platform/orders/get-order-status.ts';
import { getOrder } from './platform/orders/get-order.ts';
import { listOrderComments } from './platform/orders/list-order-comments.ts';
import { mailRoutes } from './platform/orders/mail-documents.ts';
import { holdOrderRoute } from './platform/orders/hold-order.ts';
import { listOrderItems } from './platform/orders/list-order-items.ts';
import { listOrders } from './platform/orders/list-orders.ts';
import { unholdOrderRoute } from './platform/orders/unhold-order.ts';
import { saveOrderAddressRoute } from './platform/orders/save-order-address.ts';
import { saveOrderRoutes, type AfterOrderSave, type OrderSaving } from './platform/orders/save-order.ts';
import { configurableProductRoutes } from './platform/products/configurable-products.ts';
import { createProduct } from './platform/products/create-product.ts';
import { attributeGroupRoutes } from './platform/products/attribute-groups.ts';
import { attributeSetRoutes } from './platform/products/attribute-sets.ts';
import { attributesOfSetRoutes } from './platform/products/attributes-of-set.ts';
import { deleteProductRoute } from './platform/products/delete-product.ts';
import { getProduct } from './platform/products/get-product.ts';
import { getStockItem } from './platform/products/get-stock-item.ts';
import { groupPriceRoutes } from './platform/products/group-prices.ts';
import { productLinkRoutes } from './platform/products/product-links.ts';
import { productWebsiteRoutes } from './platform/products/product-websites.ts';
import { customOptionRoutes } from './platform/products/custom-options.ts';
import { listProductTypes } from './platform/products/list-product-types.ts';
import { listProducts } from './platform/products/list-products.ts';
import { searchStorefrontRoute } from './platform/products/search-storefront.ts';
import { productAttributeRoutes } from './platform/products/product-attributes.ts';
import { storedPriceRoutes } from './platform/products/stored-prices.ts';
import { storedTierPriceRoutes } from './platform/products/stored-tier-prices.ts';
import { storedSpecialPriceRoutes } from './platform/products/stored-special-prices.ts';
import { mediaRoutes } from './platform/products/product-media.ts';
import { updateProduct } from './platform/products/update-product.ts';
import { updateStockItem } from './platform/products/update-stock-item.ts';
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
} from './platform/stores/stores.ts';
import { taxClassRoutes } from './platform/tax/tax-classes.ts';
import { taxRateRoutes } from './platform/tax/tax-rates.ts';
import { taxRuleRoutes } from './platform/tax/tax-rules.ts';
import { getTransaction } from './platform/transactions/get-transaction.ts';
import { listTransactions } from './platform/transactions/list-transactions.ts';
import type { AnyRoute } from './http/route.ts';
import type { MailDocument } from './http/mail-document-route.ts';
import { commentInvoice } from './http/comment-document-route.ts';

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
  ...saveOrderRoutes({ hooksFor: orderSaveHooks, place: placeOrder, afterSave: afterOrderSave }),
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
