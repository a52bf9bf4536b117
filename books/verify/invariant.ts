/** One rule of the books, as a question to the database: which rows break it? */
export interface Invariant {
  /** The number under which the rule is known; a letter behind it where one rule takes several questions. */
  id: string;
  /** What holds, in one sentence for the person who finds it broken. */
  sentence: string;
  /** Answers the rows that break it: none when all is well. */
  sql: string;
  /** Work in flight may break it for a moment: it is asked again before anybody is told. */
  needsQuiet: boolean;
}
