/**
 * The sequences of a test database are at this id: every id of a test is larger than 32 bits hold, and a column, a
 * cast or a schema that is too small fails in any test that uses it.
 */
export const idsBefore = 5_000_000_000;

/** The id of the first row of a table. */
export const firstId = idsBefore + 1;
