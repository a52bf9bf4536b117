/** Ends a start with one sentence that says what to do, without a stack. */
export class CannotStart extends Error {
  override name = 'CannotStart';
}
