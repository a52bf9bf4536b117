/** How a column is compared. Text is compared in any case of letters, as in the platform's database. */
export type SearchType =
  | 'text'
  /** SKUs: as text, composed or not. */
  | 'sku'
  /**
   * Ids and codes: found as sent, in upper and in lower case, so that a plain index is used; negated, they compare as
   * text.
   */
  | 'code'
  | 'integer'
  | 'decimal'
  | 'timestamp'
  | 'boolean'
  /** An SQL expression of type text[]: `eq` and `in` ask for membership. */
  | 'set';

/** A field that a list can be asked for. */
export interface SearchField {
  /** Trusted SQL: a column or an expression of constants of ours, never of the caller's. */
  column: string;
  type: SearchType;
  /** Nulls sort first, as in the platform's database; a plain index cannot be used for such a sort. */
  isNullable?: boolean;
}

/** SQL text with `?` for each parameter. */
export interface SqlPart {
  sql: string;
  parameters: readonly unknown[];
}
