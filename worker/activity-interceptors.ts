import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { troubleOf } from '../db/support/connections/database-trouble.ts';
import { logWith } from '../providers/log.ts';
import { inSpan } from '../providers/observe/tracing.ts';
import { traceparentIn } from '../providers/temporal/carry-trace.ts';

/**
 * Every log line of an activity names the workflow, the run and the activity; their Temporal page has the details. Its
 * span belongs to the trace of whoever asked the workflow.
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

/**
 * A database failure is a fault under one name, which Temporal retries. When it outlasts the retries, the caller gets
 * 503.
 */
export const reportTrouble: ActivityInterceptorsFactory = () => ({
  inbound: {
    async execute(input, next) {
      try {
        return await next(input);
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble === undefined || !(error instanceof Error)) throw error;
        throw ApplicationFailure.create({
          type: 'DatabaseTrouble',
          message: `${trouble}: ${error.message}`,
          cause: error,
        });
      }
    },
  },
});
