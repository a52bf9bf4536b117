import type { MikroORM } from '@mikro-orm/postgresql';

/**
 * How far the sequences of a test database are: every id is larger than 32 bits hold, so that a column, a cast or a
 * schema that is too small fails. Tests that share a Temporal server begin further on still (`separate-ids.ts`).
 */
export const idsBefore = 5_000_000_000;

/** The id of the first row of a table. */
export const firstId = idsBefore + 1;

/**
 * Lets the tables that have no row yet count from 1, as in a shop that has just opened: for a test whose texts name rows
 * by their ids.
 */
export const countFromOne = ({ em }: MikroORM) =>
  em
    .fork()
    .execute(`select setval(format('%I', sequencename)::regclass, 1, false) from pg_sequences where last_value = ?`, [
      idsBefore,
    ]);
