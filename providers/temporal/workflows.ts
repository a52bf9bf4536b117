import type { SearchAttributePair, SignalDefinition, UpdateDefinition } from '@temporalio/common';
import { PosError } from '../../domain/errors.ts';

/** A workflow, and what it starts with where it does not run. */
export interface WorkflowStart<Input> {
  /** The workflow's type and its business id. */
  workflow: string;
  id: string;
  input: Input;
  /** Shown in the list of workflows. No names, no e-mails; texts from outside only as Markdown literals. */
  summary?: string;
  /** Search attributes that the workflow has from its start. */
  searchAttributes?: readonly SearchAttributePair[];
  /** A signal for the workflow, whether it runs already or starts now. */
  signal?: SignalDefinition;
}

/** A message to a workflow, which is started when it does not run. */
export interface Question<Answer, Request, Input> extends Omit<WorkflowStart<Input>, 'signal'> {
  update: UpdateDefinition<Answer, [Request]>;
  request: Request;
  /** Names the operation in every run of its request: the update's id begins with it. */
  operationKey: string;
  /** How long the caller waits for the answer. */
  patienceMs: number;
}

const stillGoingOn = 'The work is still going on. Read the record again in a moment.';

/**
 * No answer came in time: the work may be done, may still be done, or may never begin. Whoever asked reads the row
 * before it says anything to its caller.
 */
export class StillRunning extends PosError {
  constructor({ message = stillGoingOn, ...options }: ErrorOptions & { message?: string } = {}) {
    super({ status: 503, message }, options);
    this.name = 'StillRunning';
  }
}

/** How routes and the operator's tool communicate with workflows. */
export interface Workflows {
  /**
   * Sends an update, starting the workflow when needed, and waits for its answer.
   *
   * A refusal comes back as a `PosError`. 503 when Temporal does not answer: then nothing was sent. `StillRunning` when
   * the message was sent and no answer came in time.
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
  /** Whether Temporal has the namespace of our settings; absent: nobody can say. */
  hasNamespace?: () => Promise<boolean>;
  /** 503 while Temporal does not answer; an answer is remembered for a moment. Call it before anything is written. */
  refuseWhileAway(): Promise<void>;
}
