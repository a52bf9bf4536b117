import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { logWith } from '../providers/log.ts';

/** Every log line of an activity names the workflow, the run and the activity; their Temporal page has the details. */
export const nameActivity: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    execute(input, next) {
      const { workflowExecution: { workflowId, runId } = {}, activityType } = info;
      return logWith({ workflowId, runId, activityType }, () => next(input));
    },
  },
});
