import { listAuditLog } from './audit/list-audit-log.ts';
import { submitAuditLog } from './audit/submit-audit-log.ts';
import { getConfig } from './configuration/get-config.ts';
import { getPostcodePatterns } from './configuration/get-postcode-patterns.ts';
import { getTerminalConfig } from './configuration/get-terminal-config.ts';
import { deleteHeldCartByUuidRoute } from './held-carts/delete-held-cart-by-uuid.ts';
import { deleteHeldCartRoute } from './held-carts/delete-held-cart.ts';
import { holdCartRoute } from './held-carts/hold-cart.ts';
import { listHeldCarts } from './held-carts/list-held-carts.ts';
import { recallHeldCart } from './held-carts/recall-held-cart.ts';
import { createLocation } from './locations/create-location.ts';
import { deleteLocation } from './locations/delete-location.ts';
import { listOrderStatuses } from './configuration/list-order-statuses.ts';
import { getLocationByCode } from './locations/get-location-by-code.ts';
import { getLocation } from './locations/get-location.ts';
import { listLocations } from './locations/list-locations.ts';
import { updateLocation } from './locations/update-location.ts';
import { createAdminToken } from './platform/access/create-admin-token.ts';
import { createCustomerToken } from './platform/access/create-customer-token.ts';
import { revokeCustomerToken } from './platform/access/revoke-customer-token.ts';
import { getCreditMemo } from './platform/credit-memos/get-credit-memo.ts';
import { listCreditMemos } from './platform/credit-memos/list-credit-memos.ts';
import { refundOrderRoute } from './platform/credit-memos/refund-order.ts';
import { createCustomer } from './platform/customers/create-customer.ts';
import { getCustomerGroup } from './platform/customers/get-customer-group.ts';
import { getCustomer } from './platform/customers/get-customer.ts';
import { listCustomerGroups } from './platform/customers/list-customer-groups.ts';
import { searchCustomers } from './platform/customers/search-customers.ts';
import { updateCustomer } from './platform/customers/update-customer.ts';
import { getCountry } from './platform/directory/get-country.ts';
import { getCurrency } from './platform/directory/get-currency.ts';
import { listCountries } from './platform/directory/list-countries.ts';
import { areProductsSalable } from './platform/inventory/are-products-salable.ts';
import { getSalableQuantity } from './platform/inventory/get-salable-quantity.ts';
import { getSource } from './platform/inventory/get-source.ts';
import { getStock } from './platform/inventory/get-stock.ts';
import { isProductSalable } from './platform/inventory/is-product-salable.ts';
import { listSourceItems } from './platform/inventory/list-source-items.ts';
import { listSources } from './platform/inventory/list-sources.ts';
import { listStockSourceLinks } from './platform/inventory/list-stock-source-links.ts';
import { listStocks } from './platform/inventory/list-stocks.ts';
import { resolveStock } from './platform/inventory/resolve-stock.ts';
import { saveSourceItems } from './platform/inventory/save-source-items.ts';
import { captureInvoice } from './platform/invoices/capture-invoice.ts';
import { createInvoiceRoute } from './platform/invoices/create-invoice.ts';
import { getInvoice } from './platform/invoices/get-invoice.ts';
import { listInvoices } from './platform/invoices/list-invoices.ts';
import { saveInvoiceRoute } from './platform/invoices/save-invoice.ts';
import { cancelOrderRoute } from './platform/orders/cancel-order.ts';
import { commentOrderRoute } from './platform/orders/comment-order.ts';
import { getOrderStatus } from './platform/orders/get-order-status.ts';
import { getOrder } from './platform/orders/get-order.ts';
import { listOrderComments } from './platform/orders/list-order-comments.ts';
import { listOrders } from './platform/orders/list-orders.ts';
import { saveOrderRoutes } from './platform/orders/save-order.ts';
import { createProduct } from './platform/products/create-product.ts';
import { getProduct } from './platform/products/get-product.ts';
import { getStockItem } from './platform/products/get-stock-item.ts';
import { listProducts } from './platform/products/list-products.ts';
import { updateProduct } from './platform/products/update-product.ts';
import { updateStockItem } from './platform/products/update-stock-item.ts';
import { createShipmentRoute } from './platform/shipments/create-shipment.ts';
import { listStoreConfigs } from './platform/stores/list-store-configs.ts';
import { listStoreGroups } from './platform/stores/list-store-groups.ts';
import { listStoreViews } from './platform/stores/list-store-views.ts';
import { listWebsites } from './platform/stores/list-websites.ts';
import { getTransaction } from './platform/transactions/get-transaction.ts';
import { listTransactions } from './platform/transactions/list-transactions.ts';
import { getRefundAttempt } from './refunds/get-refund-attempt.ts';
import { previewRefundRoute } from './refunds/preview-refund.ts';
import { reconcileRefundAttempt } from './refunds/reconcile-refund-attempt.ts';
import { resolveRefundAttempt } from './refunds/resolve-refund-attempt.ts';
import { cancelRefundRoute } from './returns/cancel-refund.ts';
import { closeReturnRoute } from './returns/close-return.ts';
import { commentReturnRoute } from './returns/comment-return.ts';
import { createReturnRoute } from './returns/create-return.ts';
import { getReturn } from './returns/get-return.ts';
import { listOpenReturns } from './returns/list-open-returns.ts';
import { listOrderReturns } from './returns/list-order-returns.ts';
import { receiveReturnRoute } from './returns/receive-return.ts';
import { resolveReturnRoute } from './returns/resolve-return.ts';
import { returnEligibility } from './returns/return-eligibility.ts';
import { returnOptions } from './returns/return-options.ts';
import { setReturnStatusRoute } from './returns/set-return-status.ts';
import { settleReturn } from './returns/settle-return.ts';
import { createReceipt } from './receipts/create-receipt.ts';
import { getReceipt } from './receipts/get-receipt.ts';
import { getReceiptOfOrder } from './receipts/get-receipt-of-order.ts';
import { listReceipts } from './receipts/list-receipts.ts';
import { assignStaff } from './staff/assign-staff.ts';
import { createRole } from './staff/create-role.ts';
import { createStaff } from './staff/create-staff.ts';
import { deleteRole } from './staff/delete-role.ts';
import { deleteStaff } from './staff/delete-staff.ts';
import { getRole } from './staff/get-role.ts';
import { getStaff } from './staff/get-staff.ts';
import { listRoles } from './staff/list-roles.ts';
import { listStaffLocations } from './staff/list-staff-locations.ts';
import { listStaff } from './staff/list-staff.ts';
import { unassignStaff } from './staff/unassign-staff.ts';
import { updateRole } from './staff/update-role.ts';
import { updateStaff } from './staff/update-staff.ts';
import { authenticateStaff } from './staff/authenticate-staff.ts';
import { unlockStaff } from './staff/unlock-staff.ts';
import { validateSession } from './staff/validate-session.ts';
import { storeCreditRoutes } from './store-credit/store-credit-routes.ts';
import type { AnyRoute } from './support/route.ts';
import { submitTelemetry } from './telemetry/submit-telemetry.ts';
import { telemetryReport } from './telemetry/telemetry-report.ts';
import { activateTerminal } from './terminals/activate-terminal.ts';
import { createTerminal } from './terminals/create-terminal.ts';
import { deactivateTerminal } from './terminals/deactivate-terminal.ts';
import { deleteTerminal } from './terminals/delete-terminal.ts';
import { getTerminal } from './terminals/get-terminal.ts';
import { listTerminals } from './terminals/list-terminals.ts';
import { sendHeartbeat } from './terminals/send-heartbeat.ts';
import { updateTerminal } from './terminals/update-terminal.ts';
import { orderSaveHooks } from './wiring.ts';

/** The one list of every route: OpenAPI, the ACL sweep and the page at `/docs` are made from it. */
export const routes: readonly AnyRoute[] = [
  // platform
  createAdminToken,
  createCustomerToken,
  revokeCustomerToken,
  listStoreViews,
  listWebsites,
  listStoreGroups,
  listStoreConfigs,
  listCountries,
  getCountry,
  getCurrency,
  listProducts,
  getProduct,
  createProduct,
  updateProduct,
  getStockItem,
  updateStockItem,
  listSources,
  getSource,
  listStocks,
  getStock,
  listStockSourceLinks,
  listSourceItems,
  resolveStock,
  saveSourceItems,
  getSalableQuantity,
  isProductSalable,
  areProductsSalable,
  searchCustomers,
  getCustomer,
  createCustomer,
  updateCustomer,
  listCustomerGroups,
  getCustomerGroup,
  ...saveOrderRoutes(orderSaveHooks),
  listOrders,
  getOrder,
  getOrderStatus,
  listOrderComments,
  commentOrderRoute,
  cancelOrderRoute,
  createInvoiceRoute,
  listInvoices,
  getInvoice,
  saveInvoiceRoute,
  captureInvoice,
  createShipmentRoute,
  refundOrderRoute,
  listCreditMemos,
  getCreditMemo,
  listTransactions,
  getTransaction,
  // configuration, locations, terminals, staff
  getConfig,
  getTerminalConfig,
  getPostcodePatterns,
  listOrderStatuses,
  listLocations,
  getLocation,
  getLocationByCode,
  createLocation,
  updateLocation,
  deleteLocation,
  listTerminals,
  getTerminal,
  createTerminal,
  updateTerminal,
  deleteTerminal,
  activateTerminal,
  deactivateTerminal,
  sendHeartbeat,
  authenticateStaff,
  validateSession,
  unlockStaff,
  listStaff,
  getStaff,
  createStaff,
  updateStaff,
  deleteStaff,
  listStaffLocations,
  assignStaff,
  unassignStaff,
  listRoles,
  getRole,
  createRole,
  updateRole,
  deleteRole,
  // held carts
  listHeldCarts,
  holdCartRoute,
  recallHeldCart,
  deleteHeldCartRoute,
  deleteHeldCartByUuidRoute,
  // audit and telemetry
  submitAuditLog,
  listAuditLog,
  submitTelemetry,
  telemetryReport,
  // receipts
  createReceipt,
  listReceipts,
  getReceiptOfOrder,
  getReceipt,
  // returns and refunds
  returnOptions,
  returnEligibility,
  createReturnRoute,
  getReturn,
  listOrderReturns,
  listOpenReturns,
  setReturnStatusRoute,
  commentReturnRoute,
  receiveReturnRoute,
  resolveReturnRoute,
  settleReturn,
  cancelRefundRoute,
  closeReturnRoute,
  previewRefundRoute,
  getRefundAttempt,
  reconcileRefundAttempt,
  resolveRefundAttempt,
  // store credit
  ...storeCreditRoutes,
];
