import { listAuditLog } from './audit/list-audit-log.ts';
import { submitAuditLog } from './audit/submit-audit-log.ts';
import { getConfig } from './configuration/get-config.ts';
import { getPostcodePatterns } from './configuration/get-postcode-patterns.ts';
import { getTerminalConfig } from './configuration/get-terminal-config.ts';
import { eventObjects, renderEvents } from './event-objects.ts';
import { endpointRoutes } from './events/endpoints.ts';
import { eventRoutes } from './events/events.ts';
import { creditRoutes } from './credits/credit-routes.ts';
import { feedRoutes } from './customers/feed-routes.ts';
import { profileRoutes } from './customers/profile-routes.ts';
import { customerValidationRoutes } from './customers/customer-validation-routes.ts';
import { deleteHeldCartByUuidRoute } from './held-carts/delete-held-cart-by-uuid.ts';
import { deleteHeldCartRoute } from './held-carts/delete-held-cart.ts';
import { newsletterRoutes } from './customers/newsletter-routes.ts';
import { oneTimeCodeRoutes } from './customers/one-time-code-routes.ts';
import { holdCartRoute } from './held-carts/hold-cart.ts';
import { listHeldCarts } from './held-carts/list-held-carts.ts';
import { recallHeldCart } from './held-carts/recall-held-cart.ts';
import { cancelLayawayRoute } from './layaways/cancel-layaway.ts';
import { captureLayawayPayment } from './layaways/capture-layaway-payment.ts';
import { listOrderStatuses } from './configuration/list-order-statuses.ts';
import { bulkRoutes } from './bulk/bulk-routes.ts';
import { contentRoutes } from './content/contents.ts';
import { getPointsEarned } from './orders/get-points-earned.ts';
import { collectDuePaymentRoute } from './orders/collect-due-payment.ts';
import { locationRoutes } from './locations.ts';
import { terminalRoutes } from './terminals/terminals.ts';
import { platformRoutes } from './platform-routes.ts';
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
import { rmaAttributeRoutes } from './returns/rmas/rma-attributes.ts';
import { rmaRoutes } from './returns/rmas/rma-routes.ts';
import { listOrderReturns } from './returns/list-order-returns.ts';
import { processExistingReturnRoute } from './returns/process-existing-return.ts';
import { processReturnRoute } from './returns/process-return.ts';
import { receiveReturnRoute } from './returns/receive-return.ts';
import { resolveReturnRoute } from './returns/resolve-return.ts';
import { returnEligibility } from './returns/return-eligibility.ts';
import { returnOptions } from './returns/return-options.ts';
import { setReturnStatusRoute } from './returns/set-return-status.ts';
import { settleReturn } from './returns/settle-return.ts';
import { createReceipt } from './receipts/create-receipt.ts';
import { emailReceipt } from './receipts/email-receipt.ts';
import { getReceipt } from './receipts/get-receipt.ts';
import { getReceiptOfOrder } from './receipts/get-receipt-of-order.ts';
import { listReceipts } from './receipts/list-receipts.ts';
import { staffRoutes } from './staff/staff.ts';
import { authenticateStaff } from './staff/authenticate-staff.ts';
import { roleRoutes } from './staff/roles.ts';
import { validateSession } from './staff/sessions.ts';
import { storeCreditRoutes } from './store-credit/store-credit-routes.ts';
import type { AnyRoute } from './http/route.ts';
import { submitTelemetry } from './telemetry/submit-telemetry.ts';
import { telemetryReport } from './telemetry/telemetry-report.ts';
import { activateTerminal } from './terminals/activate-terminal.ts';
import { deactivateTerminal } from './terminals/deactivate-terminal.ts';
import { refreshLicense } from './terminals/refresh-license.ts';
import { sendHeartbeat } from './terminals/send-heartbeat.ts';
import { platformHooks } from './wiring.ts';

/** The list of all routes: OpenAPI, the ACL test and the page at `/docs` are made from it. */
export const routes: readonly AnyRoute[] = [
  ...platformRoutes(platformHooks),
  // configuration, locations, terminals, staff
  getConfig,
  getTerminalConfig,
  getPostcodePatterns,
  listOrderStatuses,
  ...locationRoutes,
  ...terminalRoutes,
  activateTerminal,
  deactivateTerminal,
  sendHeartbeat,
  refreshLicense,
  authenticateStaff,
  validateSession,
  ...staffRoutes,
  ...roleRoutes,
  // customers: the profile, and what a register keeps offline
  ...profileRoutes,
  ...feedRoutes,
  // held carts
  listHeldCarts,
  holdCartRoute,
  recallHeldCart,
  deleteHeldCartRoute,
  deleteHeldCartByUuidRoute,
  // customers at the register and the kiosk
  ...oneTimeCodeRoutes,
  ...newsletterRoutes,
  // customers and what things cost them
  ...customerValidationRoutes,
  // audit and telemetry
  submitAuditLog,
  listAuditLog,
  submitTelemetry,
  telemetryReport,
  // events for the systems around
  ...eventRoutes({ aclOf: (kind) => eventObjects[kind].acl, render: renderEvents }),
  ...endpointRoutes,
  // receipts
  createReceipt,
  emailReceipt,
  listReceipts,
  getReceiptOfOrder,
  getReceipt,
  // layaways, and credit that is due
  captureLayawayPayment,
  cancelLayawayRoute,
  collectDuePaymentRoute,
  // returns and refunds
  returnOptions,
  returnEligibility,
  createReturnRoute,
  processReturnRoute,
  processExistingReturnRoute,
  getReturn,
  listOrderReturns,
  listOpenReturns,
  ...rmaRoutes,
  ...rmaAttributeRoutes,
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
  // credits
  ...creditRoutes,
  getPointsEarned,
  ...bulkRoutes,
  ...contentRoutes,
  // store credit
  ...storeCreditRoutes,
];
