/** Ends a start with one sentence that says what to do, and no stack. */
export class CannotStart extends Error {
  override name = 'CannotStart';
}
