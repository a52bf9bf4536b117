import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { logWith } from '../providers/log.ts';

/** Whatever an activity logs names the workflow, the run and the activity: their page tells the rest. */
export const nameActivity: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    execute(input, next) {
      const { workflowExecution: { workflowId, runId } = {}, activityType } = info;
      return logWith({ workflowId, runId, activityType }, () => next(input));
    },
  },
});
