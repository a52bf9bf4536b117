/** One stretch of source text, there exactly once, and what a careless hand would have written. */
export interface Patch {
  file: string;
  find: string;
  replace: string;
}

/** A plausible mistake, made on purpose; a test that does not fail then protects nothing. */
export interface Mutant {
  id: string;
  /** What was done carelessly. */
  mistake: string;
  patches?: readonly Patch[];
  /** Done to the database of the tests once it is migrated. */
  sql?: string;
  /** Test files of which one at least must fail. */
  killedBy: readonly string[];
  /** Only tests with these words, where the whole file would take long. */
  named?: string;
}
