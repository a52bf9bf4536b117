/** Somebody was faster: the workflow that was to be started is there. */
export const isAlreadyStarted = (error: unknown) =>
  error instanceof Error && error.name === 'WorkflowExecutionAlreadyStartedError';
