import { getExternalWorkflowHandle, startChild, type ChildWorkflowOptions, type Workflow } from '@temporalio/workflow';
import type { SignalDefinition } from '@temporalio/common';

interface Start<Of extends Workflow> extends Pick<ChildWorkflowOptions, 'typedSearchAttributes'> {
  workflowId: string;
  args: Parameters<Of>;
  /** Shown in the list of workflows. */
  staticSummary: string;
}

/**
 * Starts a workflow that outlives its starter. The start is awaited: without that, a child that has not started yet
 * would be lost.
 *
 * @returns false where a workflow with this id is running already
 */
export async function startDetached<Of extends Workflow>(type: string, options: Start<Of>): Promise<boolean> {
  try {
    const detached = { parentClosePolicy: 'ABANDON', workflowIdReusePolicy: 'ALLOW_DUPLICATE' } as const;
    await startChild<Workflow>(type, { ...options, ...detached });
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowExecutionAlreadyStartedError') return false;
    throw error;
  }
}

/** Signals a workflow. When it has ended meanwhile, nothing happens. */
export async function signalIfRunning(workflowId: string, signal: SignalDefinition): Promise<void> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(signal);
  } catch {
    return;
  }
}
