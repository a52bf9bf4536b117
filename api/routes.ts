import type { Extensions } from '../providers/extensions.ts';
import { WrongSetting } from '../providers/settings.ts';
import { listAuditLog, submitAuditLog } from './audit.ts';
import { getConfig, getPostcodePatterns, listOrderStatuses } from './configuration/get-config.ts';
import { getTerminalConfig } from './configuration/get-terminal-config.ts';
import { eventObjects, renderEvents } from './event-objects.ts';
import { endpointRoutes } from './events/endpoints.ts';
import { eventRoutes } from './events/events.ts';
import { creditRoutes } from './credits/credit-routes.ts';
import { feedRoutes } from './customers/feed-routes.ts';
import { profileRoutes } from './customers/profile-routes.ts';
import { customerValidationRoutes } from './customers/customer-validation-routes.ts';
import { deleteHeldCartByUuidRoute, deleteHeldCartRoute, listHeldCarts } from './held-carts.ts';
import { newsletterRoutes } from './customers/newsletter-routes.ts';
import { oneTimeCodeRoutes } from './customers/one-time-code-routes.ts';
import { holdCartRoute, recallHeldCart } from './held-carts/recall-held-cart.ts';
import { cancelLayawayRoute } from './layaways/layaways.ts';
import { captureLayawayPayment } from './layaways/capture-layaway-payment.ts';
import { bulkRoutes } from './bulk.ts';
import { contentRoutes } from './content/content.ts';
import { getPointsEarned, collectDuePaymentRoute } from './orders.ts';
import { locationRoutes } from './locations.ts';
import { registerSessionRoutes } from './register-sessions/closings.ts';
import { terminalRoutes, activateTerminal, deactivateTerminal } from './terminals/terminals.ts';
import { platformRoutes } from './platform-routes.ts';
import { getRefundAttempt, reconcileRefundAttempt, resolveRefundAttempt } from './refunds/refund-attempts.ts';
import { previewRefundRoute } from './refunds/preview-refund.ts';
import {
  cancelRefundRoute,
  closeReturnRoute,
  receiveReturnRoute,
  resolveReturnRoute,
  setReturnStatusRoute,
} from './returns/return-steps.ts';
import { commentReturnRoute } from './returns/return-outcomes.ts';
import { createReturnRoute } from './returns/create-return.ts';
import { getReturn, listOpenReturns, listOrderReturns, returnEligibility, returnOptions } from './returns/returns.ts';
import { rmaAttributeRoutes } from './returns/rmas/rma-attributes.ts';
import { rmaRoutes } from './returns/rmas/rma-routes.ts';
import { processExistingReturnRoute, processReturnRoute } from './returns/process-return.ts';
import { settleReturn } from './returns/settle-return.ts';
import { createReceipt, getReceipt, listReceipts } from './receipts/receipts.ts';
import { emailReceipt, getReceiptOfOrder } from './receipts/email-receipt.ts';
import { registerReportRoutes } from './register-reports/register-reports.ts';
import { staffRoutes } from './staff/staff.ts';
import { authenticateStaff, validateSession } from './staff/sessions.ts';
import { roleRoutes } from './staff/roles.ts';
import { storeCreditRoutes } from './store-credit/store-credit-routes.ts';
import type { AnyRoute } from './http/route.ts';
import { submitTelemetry, telemetryReport } from './telemetry.ts';
import { refreshLicense, sendHeartbeat } from './terminals/send-heartbeat.ts';
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
  ...registerSessionRoutes,
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
  ...registerReportRoutes,
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

/**
 * All routes there are: the product's and those of extensions. Throws `WrongSetting` for a second one of the same
 * method and path.
 */
export function withRoutesOf({ routes: others }: Pick<Extensions, 'routes'>): readonly AnyRoute[] {
  const all = [...routes, ...(others as readonly AnyRoute[])];
  const known = new Set<string>();
  for (const { method, path } of all) {
    // The names of variables tell no two routes apart.
    const place = `${method} ${path.replaceAll(/:\w+/g, ':')}`;
    if (known.has(place)) throw new WrongSetting(`POS_EXTENSIONS has a second route ${method} ${path}.`);
    known.add(place);
  }
  return all;
}
