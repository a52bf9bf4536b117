import type { Headers, WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { inSpan, isTracing, traceHeaders } from '../observe/tracing.ts';

/** Of messages to workflows, and of the steps that follow from them (`workflows/support/carry-trace.ts`). */
const headerName = 'traceparent';

/** The trace that a step belongs to. */
export function traceparentIn(headers: Headers): string | undefined {
  const { [headerName]: payload } = headers;
  return payload === undefined ? undefined : defaultPayloadConverter.fromPayload<string>(payload);
}

function carried(headers: Headers): Headers {
  const { traceparent } = traceHeaders();
  const payload: Payload | undefined =
    traceparent === undefined ? undefined : defaultPayloadConverter.toPayload(traceparent);
  return payload === undefined ? headers : { ...headers, [headerName]: payload };
}

const requested = (name: string, workflow: string) => ({
  ...{ name, kind: 'client' as const, facts: { 'pos.workflow': workflow } },
});

/** Each message to a workflow is a span, and carries it. */
const carriesTrace: WorkflowClientInterceptor = {
  startWithDetails: (input, next) =>
    inSpan(requested(`start ${input.workflowType}`, input.options.workflowId), () =>
      next({ ...input, headers: carried(input.headers) }),
    ),
  startUpdateWithStart: (input, next) =>
    inSpan(requested(`ask ${input.updateName}`, input.workflowStartOptions.workflowId), () =>
      next({
        ...input,
        workflowStartHeaders: carried(input.workflowStartHeaders),
        updateHeaders: carried(input.updateHeaders),
      }),
    ),
  signal: (input, next) =>
    inSpan(requested(`signal ${input.signalName}`, input.workflowExecution.workflowId ?? ''), () =>
      next({ ...input, headers: carried(input.headers) }),
    ),
  signalWithStart: (input, next) =>
    inSpan(requested(`signal ${input.signalName}`, input.options.workflowId), () =>
      next({ ...input, headers: carried(input.headers) }),
    ),
};

/** For a client: none where nobody traces. */
export const traceInterceptors = (): { workflow: WorkflowClientInterceptor[] } | Record<string, never> =>
  isTracing() ? { workflow: [carriesTrace] } : {};
