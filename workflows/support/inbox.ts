import { condition } from '@temporalio/workflow';

export interface Turn<Request, Answer> {
  request: Request;
  answer: (given: Answer) => void;
}

/**
 * Requests wait here in order of arrival; the workflow's loop takes them out one at a time, so nothing interleaves.
 *
 * Handlers only put in: a handler that acts by itself would run beside the loop, and two settles would meet.
 */
export class Inbox<Request, Answer> {
  readonly #waiting: Turn<Request, Answer>[] = [];

  /** For update handlers: resolves once the loop has answered. */
  ask(request: Request): Promise<Answer> {
    return new Promise((answer) => this.#waiting.push({ request, answer }));
  }

  /** For signal handlers: nobody waits. */
  note(request: Request): void {
    this.#waiting.push({ request, answer: () => undefined });
  }

  get empty(): boolean {
    return this.#waiting.length === 0;
  }

  /** The next request if there is one already. */
  nextAtOnce(): Turn<Request, Answer> | undefined {
    return this.#waiting.shift();
  }

  /** The next request, or undefined when none came in time. What the timer is for stands beside it in the history. */
  async nextWithin(ms: number, summary: string): Promise<Turn<Request, Answer> | undefined> {
    if (this.empty) await condition(() => !this.empty, ms, { summary });
    return this.#waiting.shift();
  }

  /** The next request; waits for one as long as it takes. */
  async next(): Promise<Turn<Request, Answer>> {
    for (;;) {
      const turn = this.#waiting.shift();
      if (turn) return turn;
      await condition(() => !this.empty);
    }
  }
}
