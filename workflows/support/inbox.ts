import { condition } from '@temporalio/workflow';

export interface Turn<Request, Answer> {
  request: Request;
  answer: (given: Answer) => void;
}

/**
 * Requests wait here in order of arrival; the workflow's loop takes them out one at a time, so nothing interleaves.
 *
 * Handlers only put requests in: a handler that carried one out would run beside the loop, and two settles would
 * overlap.
 */
export class Inbox<Request, Answer> {
  readonly #waiting: Turn<Request, Answer>[] = [];

  /** For update handlers: resolves once the loop has answered. */
  ask(request: Request): Promise<Answer> {
    return new Promise((answer) => this.#waiting.push({ request, answer }));
  }

  /** For signal handlers, which wait for no answer. */
  note(request: Request): void {
    this.#waiting.push({ request, answer: () => undefined });
  }

  get empty(): boolean {
    return this.#waiting.length === 0;
  }

  /** The next request that waits already, if any. */
  nextAtOnce(): Turn<Request, Answer> | undefined {
    return this.#waiting.shift();
  }

  /** The next request, or undefined when the time passed first. The history shows the summary beside the timer. */
  async nextWithin(ms: number, summary: string): Promise<Turn<Request, Answer> | undefined> {
    if (this.empty) await condition(() => !this.empty, ms, { summary });
    return this.#waiting.shift();
  }

  /** The next request; waits without a limit. */
  async next(): Promise<Turn<Request, Answer>> {
    for (;;) {
      const turn = this.#waiting.shift();
      if (turn) return turn;
      await condition(() => !this.empty);
    }
  }
}
