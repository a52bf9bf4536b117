import type { CreditAnswer, SealedCreditRefund } from '../activities/credits.ts';
import type { Command } from '../domain/command.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { PdfOutcome } from '../domain/receipts/receipt-view.ts';
import type { OpenProcessRequest } from '../domain/returns/return-requests.ts';
import { defineQuery, defineSignal, defineUpdate } from './support/definitions.ts';

export interface BulkInput {
  bulkUuid: string;
}

/** For the Temporal page; programs read the database row. */
export interface BulkView {
  operations: number;
  complete: number;
  failed: number;
  rejected: number;
  isDone: boolean;
}

export const bulkQuery = defineQuery<BulkView>('state');

export const bulkId = (bulkUuid: string) => `bulk-${bulkUuid}`;

/**
 * Each installation has at most one run, however many saves ask for it; several installations may share a namespace.
 */
export const reindexId = (installationKey: string) => `reindex-catalog-rules-${installationKey}`;

export interface ScheduleInput {
  scheduleId: number;
}

/** From routes, the sweep and operators: read the row again and continue from its state. */
export const refreshSignal = defineSignal('refresh');

/** For the Temporal UI; programs read the row. */
export interface ScheduleView {
  state: string;
  dueAt: string | null;
}

export const stateQuery = defineQuery<ScheduleView>('state');

export const contentScheduleId = (scheduleId: number) => `content-schedule-${scheduleId}`;

export interface RenewalInput {
  renewalId: number;
}

/** For the Temporal UI; programs read the row. */
export interface RenewalView {
  places: number;
  rendered: number;
  failed: number;
  isDone: boolean;
}

export const renewalQuery = defineQuery<RenewalView>('state');

export const contentRenewalId = (renewalId: number) => `content-renewal-${renewalId}`;

/** The run of a refund to credit at a provider outside, for one request and its repeats. */
export const creditRefundId = (orderId: number, requestKey: string) => `credit-refund-${orderId}-${requestKey}`;

/** The wish of a route. */
export interface RequestedCreditRefund {
  command: Command;
  wish: Omit<SealedCreditRefund, 'orderId' | 'requestKey' | 'beginBefore'>;
}

export interface CreditRefundInput {
  orderId: number;
  requestKey: string;
  asked?: RequestedCreditRefund;
  /** In a run that takes up what another left: reserved already. */
  refundId?: number;
  /** How often the provider was asked in earlier runs. */
  tries?: number;
}

/** Has the provider asked now, and waits for what it says. Whoever asked reads the row then. */
export const giveUpdate = defineUpdate<Outcome<{ answer: CreditAnswer }>, [Command]>('give');

/** What goes from one run to the next; a new life begins with nothing and looks at everything first. */
export interface HousekeepingInput {
  /** Runs that ended until then were looked at. */
  lostUntil?: string;
  /** When it last looked for lost runs, and last compared; in milliseconds. */
  lookedForLostAt?: number;
  comparedAt?: number;
  isPaused?: boolean;
  /** The pause between two looks; absent: a minute. */
  everyMs?: number;
  /** The time after which a new run begins, so that no history grows long; absent: a day. */
  renewAfterMs?: number;
}

export interface LookRequest {
  /** Also for lost runs, and compares; otherwise as each minute. */
  everything?: boolean;
}

/** What the last look did: kinds of work and how many of each were started or told. */
export interface Looked {
  counts: Record<string, number>;
  /** What could not be looked at or woken. */
  failed: string[];
}

/** From operators and tests: looks now, also while it is paused, and answers once everything it began is done. */
export const lookNowUpdate = defineUpdate<Looked, [LookRequest]>('lookNow');
/** From operators: nothing is looked at until `resume`. */
export const pauseSignal = defineSignal('pause');
export const resumeSignal = defineSignal('resume');

/** One for each installation: the queue's name separates those that share a namespace. */
export const housekeepingId = (taskQueue: string) =>
  taskQueue === 'pos' ? 'housekeeping' : `housekeeping-${taskQueue}`;

/** Shown in the list of workflows. */
export const housekeepingSummary = 'Takes up, each minute, what nobody continues';

/** A check of the books; by itself it is the schedule's. */
export interface BooksInput {
  /** The person who asked for it. */
  checkedBy?: string;
}

/** The check that a person asks for: who asks while it runs waits for the same one. One for each installation. */
export const booksCheckId = (taskQueue: string) =>
  taskQueue === 'pos' ? 'check-books-now' : `check-books-now-${taskQueue}`;

export interface MailInput {
  mailId: number;
}

/** The outcome of a mail: its state, and as a code why it was not sent. */
export interface MailOutcome {
  state: string;
  reason?: string;
}

export const mailWorkflowId = (mailId: number) => `mail-${mailId}`;

/** Waits until the mail server answered, or until the outcome is known to be unknown. */
export const mailOutcomeUpdate = defineUpdate<MailOutcome, [object]>('outcome');

/** With `open` the workflow writes the row first; without, the row is there. */
export type ProcessInput = { open: OpenProcessRequest } | { processId: number };

/** How a collapsed return ended; the result is read from its row. `taken`: its return's workflow goes on. */
export interface ProcessAnswer {
  state: 'done' | 'unattempted' | 'taken';
  processId: number;
  returnId?: number;
}

export const awaitProcessedUpdate = defineUpdate<Outcome<ProcessAnswer>, [Command]>('process');

export const processWorkflowId = (orderId: number, requestKey: string) => `process-${orderId}-${requestKey}`;

export interface ReceiptPdfInput {
  receiptId: number;
}

export const receiptPdfWorkflowId = (receiptId: number) => `receipt-pdf-${receiptId}`;

/** Waits until the PDF is made or has failed. */
export const pdfUpdate = defineUpdate<PdfOutcome, [object]>('pdf');

export interface WebhookInput {
  endpointId: number;
}

/** One life for each endpoint, as long as it is on. */
export const webhookId = (endpointId: number) => `webhook-${endpointId}`;

/** The workers' queue for calls to endpoints: one that hangs takes no place of anything else. */
export const webhookQueue = (taskQueue: string) => `${taskQueue}-webhooks`;
