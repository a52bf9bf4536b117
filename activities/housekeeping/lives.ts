import type { ReservedRefund } from '../../db/credits/find-credit-work.ts';
import type { Night } from '../../db/ops/ops.entity.ts';
import type { ReturnToFollow } from '../../db/returns/followed.ts';
import { markdownLiteral } from '../../domain/markdown-literal.ts';
import { refundAttemptId } from '../../domain/refunds/refund-finding.ts';
import type { WorkflowStart } from '../../providers/temporal/workflows.ts';
import {
  bulkId,
  contentRenewalId,
  contentScheduleId,
  creditRefundId,
  mailWorkflowId,
  processWorkflowId,
  webhookId,
  type BulkInput,
  type RenewalInput,
  type ScheduleInput,
  type CreditRefundInput,
  type MailInput,
  type ProcessInput,
  type WebhookInput,
} from '../../workflows/messages.ts';
import { registerSessionId, type RegisterSessionInput } from '../../workflows/register-sessions/messages.ts';
import { layawayId, type LayawayInput } from '../../workflows/layaways/messages.ts';
import {
  documentRefundId,
  secondLookId,
  type DocumentRefundInput,
  type RefundAttemptInput,
} from '../../workflows/refunds/messages.ts';
import type { ReturnInput } from '../../workflows/returns/messages.ts';
import { defineSignal } from '../../workflows/support/definitions.ts';
import { returnId } from '../../workflows/support/return-id.ts';
import { posOrderId, posRefundState, posReturnId } from '../../workflows/support/search-attributes.ts';

/** The workflow of each kind of record, as it begins again from the record's id alone. */

/** Every life that waits knows it: read the row again, and continue from its state. */
export const refreshSignal = defineSignal('refresh');

const life = <Input>(start: WorkflowStart<Input>): WorkflowStart<Input> => start;

export const lifeOfReturn = ({ returnId: rmaId, incrementId, orderId, orderIncrementId }: ReturnToFollow) =>
  life<ReturnInput>({
    workflow: 'returnWorkflow',
    id: returnId(rmaId),
    input: { rmaId },
    summary: `Return ${markdownLiteral(incrementId)} · order ${markdownLiteral(orderIncrementId)}`,
    searchAttributes: [
      { key: posReturnId, value: rmaId },
      { key: posOrderId, value: orderId },
    ],
    signal: refreshSignal,
  });

/** One whose creation or refund was interrupted. */
export const lifeOfInterruptedReturn = (rmaId: number) =>
  life<ReturnInput>({
    workflow: 'returnWorkflow',
    id: returnId(rmaId),
    input: { rmaId },
    summary: `Return ${rmaId}, taken up again`,
    searchAttributes: [{ key: posReturnId, value: rmaId }],
    signal: refreshSignal,
  });

export const lifeOfAttempt = ({ attemptId, orderId }: { attemptId: number; orderId: number }) =>
  life<RefundAttemptInput>({
    workflow: 'refundAttemptWorkflow',
    id: refundAttemptId(attemptId),
    input: { attemptId },
    summary: `Uncertain refund ${attemptId}, taken up again`,
    searchAttributes: [
      { key: posRefundState, value: 'uncertain' },
      { key: posOrderId, value: orderId },
    ],
  });

/** A "not refunded" of a person, for whose sum a memo by hand is booked now. */
export const lifeOfSecondLook = (attemptId: number) =>
  life<RefundAttemptInput>({
    workflow: 'secondLookWorkflow',
    id: secondLookId(attemptId),
    input: { attemptId },
    summary: `Second look at refund ${attemptId}`,
  });

export const lifeOfDocumentRefund = ({ orderId, operationKey }: { orderId: number; operationKey: string }) =>
  life<DocumentRefundInput>({
    workflow: 'documentRefundWorkflow',
    id: documentRefundId(orderId, operationKey),
    input: { orderId, operationKey },
    summary: `Refund of a document of order ${orderId}, taken up again`,
    searchAttributes: [{ key: posOrderId, value: orderId }],
  });

export const lifeOfCreditRefund = ({ refundId, orderId, requestKey }: ReservedRefund) =>
  life<CreditRefundInput>({
    workflow: 'creditRefundWorkflow',
    id: creditRefundId(orderId, requestKey),
    input: { orderId, requestKey, refundId },
    summary: `Refund ${refundId} to credit, taken up again`,
    searchAttributes: [{ key: posOrderId, value: orderId }],
  });

export const lifeOfProcess = (run: { processId: number; orderId: number; requestKey: string }) =>
  life<ProcessInput>({
    workflow: 'processWorkflow',
    id: processWorkflowId(run.orderId, run.requestKey),
    input: { processId: run.processId },
    summary: `Collapsed return ${run.processId}, taken up again`,
    searchAttributes: [{ key: posOrderId, value: run.orderId }],
  });

export const lifeOfLayaway = (orderId: number) =>
  life<LayawayInput>({
    workflow: 'layawayWorkflow',
    id: layawayId(orderId),
    input: { orderId },
    summary: `Layaway of order ${orderId}, taken up again`,
    searchAttributes: [{ key: posOrderId, value: orderId }],
    signal: refreshSignal,
  });

export const lifeOfSession = (registerSessionUuid: string) =>
  life<RegisterSessionInput>({
    workflow: 'registerSessionWorkflow',
    id: registerSessionId(registerSessionUuid),
    input: { registerSessionUuid },
    summary: `Register session ${registerSessionUuid}, started again`,
    signal: refreshSignal,
  });

export const lifeOfSchedule = (scheduleId: number) =>
  life<ScheduleInput>({
    workflow: 'contentScheduleWorkflow',
    id: contentScheduleId(scheduleId),
    input: { scheduleId },
    summary: `Schedule ${scheduleId} of content, taken up again`,
    signal: refreshSignal,
  });

export const lifeOfRenewal = (renewalId: number) =>
  life<RenewalInput>({
    workflow: 'contentRenewalWorkflow',
    id: contentRenewalId(renewalId),
    input: { renewalId },
    summary: 'Renders content with a changed block, taken up again',
  });

export const lifeOfBulk = (bulkUuid: string) =>
  life<BulkInput>({
    workflow: 'bulkWorkflow',
    id: bulkId(bulkUuid),
    input: { bulkUuid },
    summary: 'Carries out a bulk, taken up again',
  });

export const lifeOfEndpoint = (endpointId: number) =>
  life<WebhookInput>({
    workflow: 'webhookWorkflow',
    id: webhookId(endpointId),
    input: { endpointId },
    summary: `Sends events to endpoint ${endpointId}`,
  });

const nights: Readonly<Record<string, string>> = {
  'check-books': 'checkBooks',
  'purge-leftovers': 'purgeLeftovers',
  'roll-up-telemetry': 'rollUpTelemetry',
} satisfies Record<Night, string>;

/** A night whose hour fell into an off time. One run for each installation, beside the schedule's own. */
export const lifeOfNight = (taskQueue: string) => (night: string) =>
  life<undefined>({
    workflow: nights[night] ?? night,
    id: taskQueue === 'pos' ? `owed-${night}` : `owed-${night}-${taskQueue}`,
    input: undefined,
    summary: `Does the work of a night that was missed: ${night}`,
  });

export const lifeOfMail = (workflow: 'mailWorkflow' | 'urgentMailWorkflow') => (mailId: number) =>
  life<MailInput>({ workflow, id: mailWorkflowId(mailId), input: { mailId }, summary: `Mail ${mailId}` });
