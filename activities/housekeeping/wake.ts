import type { Client } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/common';
import type { SignalDefinition } from '@temporalio/common';
import type { WorkflowStart } from '../../providers/temporal/workflows.ts';

/** Temporal away: the next look finds the same work. */
const deadlineMs = 5_000;
const atOnce = 20;

/** A workflow to start; one that runs already gets the signal, where there is one. */
export type Life = WorkflowStart<unknown>;

export interface ContextWake {
  temporal: Client;
  taskQueue: string;
}

/** @returns whether it did not run already */
export async function wake({ temporal, taskQueue }: ContextWake, life: Life): Promise<boolean> {
  const { workflow, id, input, summary, searchAttributes, signal } = life;
  try {
    await withDeadline(temporal, () =>
      temporal.workflow.start(workflow, {
        workflowId: id,
        taskQueue,
        args: [input],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'FAIL',
        ...(summary === undefined ? {} : { staticSummary: summary }),
        ...(searchAttributes === undefined ? {} : { typedSearchAttributes: [...searchAttributes] }),
      }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    if (signal !== undefined) await tell(temporal, id, signal);
    return false;
  }
}

/** @returns false where no workflow of this id runs */
export async function tell(temporal: Client, id: string, signal: SignalDefinition): Promise<boolean> {
  try {
    await withDeadline(temporal, () => temporal.workflow.getHandle(id).signal(signal));
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

export const withDeadline = <Answer>(temporal: Client, work: () => Promise<Answer>): Promise<Answer> =>
  temporal.withDeadline(Date.now() + deadlineMs, work);

/**
 * Does something with each of a list, some at a time. One that fails stops no other; where all of a batch fail, the
 * rest is left for later.
 *
 * @returns the answers in no order, and the faults
 */
export async function forEach<Item, Answer>(
  items: readonly Item[],
  work: (item: Item) => Promise<Answer>,
): Promise<{ answers: Answer[]; faults: unknown[] }> {
  const answers: Answer[] = [];
  const faults: unknown[] = [];
  for (let at = 0; at < items.length; at += atOnce) {
    const results = await Promise.allSettled(items.slice(at, at + atOnce).map(work));
    for (const result of results)
      if (result.status === 'fulfilled') answers.push(result.value);
      else faults.push(result.reason);
    if (results.every(({ status }) => status === 'rejected')) break;
  }
  return { answers, faults };
}
