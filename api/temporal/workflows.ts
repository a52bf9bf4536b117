import type { SearchAttributePair, SignalDefinition, UpdateDefinition } from '@temporalio/common';

/** A message to a workflow, which is started when it does not run. */
export interface Question<Answer, Request, Input> {
  update: UpdateDefinition<Answer, [Request]>;
  /** The workflow's type and its business id. */
  workflow: string;
  id: string;
  /** The workflow's input for a start. */
  input: Input;
  request: Request;
  requestId: string;
  /** Shown in the list of workflows. No names, no e-mails. */
  summary?: string;
  /** Search attributes that the workflow has from its start. */
  searchAttributes?: readonly SearchAttributePair[];
  deadlineMs?: number;
}

/** A workflow to start, and its input. */
export interface WorkflowStart<Input> {
  workflow: string;
  id: string;
  input: Input;
  summary?: string;
  searchAttributes?: readonly SearchAttributePair[];
  /** A signal for the workflow, whether it runs already or starts now. */
  signal?: SignalDefinition;
}

/** How routes and the operator's tool communicate with workflows. */
export interface Workflows {
  /**
   * Sends an update, starting the workflow when needed, and waits for its answer.
   *
   * A refusal comes back as a `PosError`. 504 when the deadline passed and the work may still be running; 503 when
   * Temporal cannot be reached.
   */
  ask<Answer, Request, Input>(question: Question<Answer, Request, Input>): Promise<Answer>;
  /** Starts a workflow unless it runs, and does not wait for it. 503 when Temporal cannot be reached. */
  start<Input>(life: WorkflowStart<Input>): Promise<void>;
  /** Sends a signal to a running workflow; 404 when there is none. */
  signal<Arguments extends unknown[]>(
    signal: SignalDefinition<Arguments>,
    id: string,
    ...args: Arguments
  ): Promise<void>;
  /** Whether Temporal answers, with a short timeout. */
  isReachable(): Promise<boolean>;
}
