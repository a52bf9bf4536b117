/**
 * An index for searching a text column in any case of letters: the search compares `lower(column)`.
 *
 * @param expression a column, or an SQL expression of the table's columns
 * @param more columns that the rows of one text are ordered by
 */
export const textIndex = (table: string, name: string, expression = `"${name}"`, more: readonly string[] = []) => ({
  name: `${table}_${name}_text`,
  expression: `create index "${table}_${name}_text" on "${table}" (${[`lower(${expression})`, ...more].join(', ')})`,
});

/** An index for an SQL expression that is a number. */
export const numberIndex = (table: string, name: string, expression: string) => ({
  name: `${table}_${name}_number`,
  expression: `create index "${table}_${name}_number" on "${table}" (${expression})`,
});

/** An index for a column of type text[] that lists search by membership. */
export const setIndex = (table: string, name: string) => ({
  name: `${table}_${name}_set`,
  expression: `create index "${table}_${name}_set" on "${table}" using gin ("${name}")`,
});

/** An index for searching a part of a column, as in `like %lantern%`. */
export const partIndex = (table: string, name: string, expression = `"${name}"`) => ({
  name: `${table}_${name}_part`,
  expression: `create index "${table}_${name}_part" on "${table}" using gin ((${expression}) gin_trgm_ops)`,
});
