/** One rule of the books, as a query for the rows that break it. */
export interface Invariant {
  /** The rule's number; a letter follows where one rule needs several queries. */
  id: string;
  /** The rule in one sentence, for the person who finds it broken. */
  sentence: string;
  /** Returns the rows that break the rule; none when it holds. */
  sql: string;
  /** Work in progress may break the rule for a moment: it is checked again before it is reported. */
  needsQuiet: boolean;
}
