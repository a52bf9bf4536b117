/** The bundle: every workflow of the product, and nothing else. */
export { bulkWorkflow } from './bulk.ts';
export { contentRenewalWorkflow, contentScheduleWorkflow } from './content.ts';
export { creditRefundWorkflow } from './credit-refunds.ts';
export { documentRefundWorkflow } from './document-refunds.ts';
export { housekeeping, startHousekeeping } from './housekeeping.ts';
export { expireLayaways, layawayWorkflow } from './layaways.ts';
export { mailWorkflow, receiptPdfWorkflow, urgentMailWorkflow } from './mails.ts';
export { checkBooks, purgeLeftovers, purgeOneTimeCodes, reindexCatalogRules, rollUpTelemetry } from './nights.ts';
export { processWorkflow } from './process.ts';
export { refundAttemptWorkflow } from './refunds.ts';
export { secondLookWorkflow } from './refunds/second-look.ts';
export { registerSessionWorkflow } from './register-sessions.ts';
export { returnWorkflow } from './returns.ts';
export { webhookWorkflow } from './webhooks.ts';
