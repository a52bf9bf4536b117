/**
 * An index for a text column that lists search whatever its case: the search compares `lower(column)`.
 *
 * @param expression a column, or an SQL expression of the table's columns
 */
export const textIndex = (table: string, name: string, expression = `"${name}"`) => ({
  name: `${table}_${name}_text`,
  expression: `create index "${table}_${name}_text" on "${table}" (lower(${expression}))`,
});

/** An index for a column of type text[] that lists search by membership. */
export const setIndex = (table: string, name: string) => ({
  name: `${table}_${name}_set`,
  expression: `create index "${table}_${name}_set" on "${table}" using gin ("${name}")`,
});
