/** The bundle: every workflow of the product, and nothing else. */
export { refundAttemptWorkflow } from './refunds/refund-attempt-workflow.ts';
export { repairLimbo } from './repair/repair-limbo.ts';
export { returnWorkflow } from './returns/return-workflow.ts';
export { rollUpTelemetry } from './telemetry/roll-up-telemetry.ts';
