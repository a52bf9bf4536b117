import type { Headers } from '@temporalio/common';
import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';

/**
 * Hands the trace of whoever asked last on to the steps that follow, as the header `traceparent`. It makes no span:
 * those of a workflow's steps are made where the steps run. A workflow without the header has none, and nothing else
 * changes.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let heard: Headers = {};
  const hear = ({ headers }: { headers: Headers }) => {
    const { traceparent } = headers;
    if (traceparent) heard = { traceparent };
  };
  const carried = <Input extends { headers: Headers }>(input: Input): Input => ({
    ...input,
    headers: { ...heard, ...input.headers },
  });
  return {
    inbound: [
      {
        execute(input, next) {
          hear(input);
          return next(input);
        },
        handleUpdate(input, next) {
          hear(input);
          return next(input);
        },
        handleSignal(input, next) {
          hear(input);
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(carried(input)),
        startChildWorkflowExecution: (input, next) => next(carried(input)),
        continueAsNew: (input, next) => next(carried(input)),
      },
    ],
  };
};
