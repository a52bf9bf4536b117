import { allHandlersFinished, condition, workflowInfo } from '@temporalio/workflow';

/** Turns that a run takes after its renewal is due, while requests keep arriving. */
const maxLateTurns = 3;

/**
 * Decides when a long-lived run continues as new. Temporal refuses every update of a run after 2,000, and ends a run
 * whose history is too long; it suggests the renewal before.
 *
 * A run renews between two requests, once everyone who was answered has the answer: an answer is sent only after the
 * turn that gave it. Where requests never stop, it renews after `maxLateTurns` all the same. The server then fails the
 * requests that have not begun, and the client sends each again to the new run.
 */
export class Renewal {
  readonly #isOld: () => boolean;
  #lateTurns = 0;

  /** @param isOld the workflow's own reason to renew; absent: only the server's suggestion counts */
  constructor(isOld: () => boolean = () => false) {
    this.#isOld = isOld;
  }

  get isSuggested(): boolean {
    return workflowInfo().continueAsNewSuggested || this.#isOld();
  }

  /**
   * To be asked before the workflow takes a request. True: the workflow must continue as new without another await.
   *
   * @param hasRequest whether a request is pending that has not begun
   */
  async isDue(hasRequest: () => boolean): Promise<boolean> {
    if (!this.isSuggested) return false;
    if (++this.#lateTurns > maxLateTurns) return true;
    await condition(() => hasRequest() || allHandlersFinished());
    return !hasRequest();
  }
}
