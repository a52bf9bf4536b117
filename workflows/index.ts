/** The bundle: every workflow of the product, and nothing else. */
export { reindexCatalogRules } from './catalog-rules/reindex-catalog-rules.ts';
export { contentRenewalWorkflow } from './content/content-renewal-workflow.ts';
export { contentScheduleWorkflow } from './content/content-schedule-workflow.ts';
export { followContentRenewals } from './content/follow-content-renewals.ts';
export { followContentSchedules } from './content/follow-content-schedules.ts';
export { mailWorkflow } from './mails/mail-workflow.ts';
export { urgentMailWorkflow } from './mails/urgent-mail-workflow.ts';
export { expireLayaways } from './layaways/expire-layaways.ts';
export { layawayWorkflow } from './layaways/layaway-workflow.ts';
export { processWorkflow } from './process/process-workflow.ts';
export { refundAttemptWorkflow } from './refunds/refund-attempt-workflow.ts';
export { receiptPdfWorkflow } from './receipts/receipt-pdf-workflow.ts';
export { repairLimbo } from './repair/repair-limbo.ts';
export { purgeLeftovers } from './retention/purge-leftovers.ts';
export { returnWorkflow } from './returns/return-workflow.ts';
export { purgeOneTimeCodes } from './self-checkout/purge-one-time-codes.ts';
export { rollUpTelemetry } from './telemetry/roll-up-telemetry.ts';
