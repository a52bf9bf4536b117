import type { SearchAttributePair, SignalDefinition, UpdateDefinition } from '@temporalio/common';

/** A message for the life of one thing, which is started when it does not run. */
export interface Question<Answer, Request, Input> {
  update: UpdateDefinition<Answer, [Request]>;
  /** The workflow's type and its business id. */
  workflow: string;
  id: string;
  /** What the workflow starts from when it does not run. */
  input: Input;
  request: Request;
  requestId: string;
  /** Shown in the list of workflows. No names, no e-mails. */
  summary?: string;
  /** What the list of workflows can be filtered by from the start. */
  searchAttributes?: readonly SearchAttributePair[];
  deadlineMs?: number;
}

/** The life of one thing, to be followed by a workflow of its own. */
export interface Life<Input> {
  workflow: string;
  id: string;
  input: Input;
  summary?: string;
  searchAttributes?: readonly SearchAttributePair[];
  /** Sent to it, whether it runs already or starts with this. */
  signal?: SignalDefinition;
}

/** How routes and the operator's tool talk to workflows. */
export interface Workflows {
  /**
   * Sends an update, starting the workflow when needed, and waits for its answer.
   *
   * Refusals come back as the `PosError` they are. 504 when the deadline passed and the work may still be running; 503
   * when Temporal cannot be reached.
   */
  ask<Answer, Request, Input>(question: Question<Answer, Request, Input>): Promise<Answer>;
  /** Starts a workflow unless it runs, and does not wait for it. 503 when Temporal cannot be reached. */
  begin<Input>(life: Life<Input>): Promise<void>;
  /** Sends a signal to a running workflow; 404 when there is none. */
  tell<Arguments extends unknown[]>(signal: SignalDefinition<Arguments>, id: string, ...args: Arguments): Promise<void>;
  /** Whether Temporal answers, quickly. */
  isReachable(): Promise<boolean>;
}
