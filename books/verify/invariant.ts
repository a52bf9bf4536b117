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

/**
 * Compares sums of an order `o`: a posted figure may be finer than a coin, and money goes out in whole coins. So both
 * sides count as their nearest coins. Base figures have `base_` in their names.
 */
export const inCoins = (figure: string) =>
  `in_coins(${figure}, ${figure.includes('base_') ? 'o.base_currency_code' : 'o.order_currency_code'})`;

export const isMore = (figure: string, than: string) =>
  `(${figure} > ${than} and ${inCoins(figure)} > ${inCoins(than)})`;

export const isOther = (figure: string, than: string) =>
  `(${figure} is distinct from ${than} and ${inCoins(figure)} is distinct from ${inCoins(than)})`;
