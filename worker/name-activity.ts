import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { logWith } from '../providers/log.ts';
import { inSpan } from '../providers/observe/tracing.ts';
import { traceparentIn } from '../providers/temporal/carry-trace.ts';

/**
 * Every log line of an activity names the workflow, the run and the activity; their Temporal page has the details. Its span
 * belongs to the trace of whoever asked the workflow.
 */
export const nameActivity: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    execute(input, next) {
      const { workflowExecution: { workflowId, runId } = {}, activityType } = info;
      const span = {
        ...{ name: activityType, kind: 'internal' as const, parent: traceparentIn(input.headers) },
        facts: { 'pos.workflow': workflowId ?? '' },
      };
      return logWith({ workflowId, runId, activityType }, () => inSpan(span, () => next(input)));
    },
  },
});
