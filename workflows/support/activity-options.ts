import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow';

/** How long steps may take and how often they are tried, by kind. Spelled out: defaults are not leaned on. */

/** One transaction, idempotent by its rows; runs in the worker that runs the workflow, without a round trip. */
export const oneTransaction: LocalActivityOptions = {
  startToCloseTimeout: '5 seconds',
  scheduleToCloseTimeout: '25 seconds',
  localRetryThreshold: '5 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
};

/** A transaction that has to happen, however long the database is away. */
export const mustHappen: ActivityOptions = {
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
};

/** A call of something outside that answers the same to the same key, while a cashier waits. */
export const outsideCall: ActivityOptions = {
  startToCloseTimeout: '20 seconds',
  scheduleToCloseTimeout: '2 minutes',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '5 seconds' },
};

/** A minute's part of a sweep, idempotent; what is not done is found again by the next one. */
export const sweeping: ActivityOptions = {
  startToCloseTimeout: '3 minutes',
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
};

/** Some places of a block, in one transaction; a worker that dies over it is noticed by its silence. */
export const renderingPlaces: ActivityOptions = {
  summary: 'render the next places',
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '10 seconds' },
};

/** Some operations of a bulk, a transaction each; a worker that dies over them is noticed by its silence. */
export const runningOperations: ActivityOptions = {
  summary: 'carry out the next operations',
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
};

/** Work of a night over many rows, idempotent; given up before the next night. */
export const nightly: ActivityOptions = {
  startToCloseTimeout: '15 minutes',
  scheduleToCloseTimeout: '12 hours',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/** Work over many rows that somebody waits for, idempotent, batch by batch; a worker that dies over it is missed within a minute. */
export const batchByBatch: ActivityOptions = {
  ...nightly,
  heartbeatTimeout: '1 minute',
};

/** One mail; a mail server that does not take it is no fault. Given up well before the mail is due again for good. */
export const sendingMail: ActivityOptions = {
  summary: 'hand the mail over to the mail server',
  startToCloseTimeout: '60 seconds',
  scheduleToCloseTimeout: '30 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/** One mail that somebody stands and waits for; the workflow itself tries again, as long as it is worth it. */
export const sendingUrgentMail: ActivityOptions = {
  summary: 'hand the mail over to the mail server at once',
  startToCloseTimeout: '22 seconds',
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 seconds' },
};

/** One PDF, idempotent; a worker that dies over it is noticed by its silence. Given up well before its mail is. */
export const printingPdf: ActivityOptions = {
  summary: 'print the receipt',
  startToCloseTimeout: '30 seconds',
  heartbeatTimeout: '10 seconds',
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 seconds', maximumAttempts: 5 },
};

/**
 * A PDF for a mail: a printer that hangs is not waited for, and the mail goes without. A queue of others is no reason to:
 * where many ask at once each gets its PDF, and who waited hears that the mail is on its way.
 */
export const printingForMail: ActivityOptions = {
  ...printingPdf,
  summary: 'print the receipt for its mail',
  startToCloseTimeout: '12 seconds',
  scheduleToCloseTimeout: '25 minutes',
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '10 seconds',
    maximumAttempts: 3,
    // A worker that died falls silent before; one that hangs would hang again.
    nonRetryableErrorTypes: ['TemporalTimeout:StartToClose'],
  },
};

/** A look-up at a gateway, while a cashier waits. */
export const lookUp: ActivityOptions = {
  summary: 'ask the gateway what became of the refund',
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '50 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumAttempts: 2 },
};

/** No worker takes it within this time: provably not called. */
export const longestWaitForAWorker = '20 seconds';

/** Beyond the gateway's own time-out, so that an activity Temporal gives up on is past its deadline. */
export const graceSeconds = 5;
