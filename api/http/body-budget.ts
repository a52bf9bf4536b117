import { refusal } from '../../domain/refusals/refusal.ts';

/** 503: the bodies of other requests fill the memory that is there for them. */
export const tooManyBodies = refusal(
  503,
  'The bodies of other requests take all the memory that there is for them. Try again in a moment.',
);

/** The bytes of request bodies that a process holds at a time, from the first byte to the end of the answer. */
export class BodyBudget {
  readonly #most: number;
  #held = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get held(): number {
    return this.#held;
  }

  /** Holds so many bytes more. Refused with 503: there is no room for them, and none are held. */
  hold(bytes: number): void {
    if (this.#held + bytes > this.#most) throw tooManyBodies();
    this.#held += bytes;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}
