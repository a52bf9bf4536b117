/**
 * How far the sequences of a test database are. `TEST_IDS_BEFORE=5000000000 npm test -- <files>` makes every id of a test
 * larger than 32 bits hold: a column, a cast or a schema that is too small fails. Where tests share a Temporal server,
 * their ids are above 32 bits in every run (`separate-ids.ts`).
 */
export const idsBefore = Number(process.env['TEST_IDS_BEFORE'] ?? 0);

/** The id of the first row of a table. */
export const firstId = idsBefore + 1;
