import type { EntityManager } from '@mikro-orm/postgresql';
import { flag } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/**
 * SQL: where these tables lie. A copy of a database has another id, and a table that was read back from a dump, too. It
 * tells nothing of a copy of the files: that has to be said.
 */
export const here = `(
  select d.oid || '/' || 'installation'::regclass::oid from pg_database d where d.datname = current_database())`;

/**
 * Whether the database is where it was when a worker first ran on it, or nobody has run on it yet: then this is its home.
 * False: it is a copy, or was restored, and a person has to say which (`pos restored`).
 */
export async function isAtHome(em: EntityManager): Promise<boolean> {
  await settle.run(em);
  const row = await look.first(em);
  return row?.isAtHome === true;
}

/** It was moved as a whole: nothing is missing, and nothing is asked. */
export const moveIn = (em: EntityManager) => move.run(em);

/** All that the backup lacked is in the books again: gateways are not asked before each refund any more. */
export const concludeRestore = (em: EntityManager) => conclude.run(em);

const settle = statement({ takes: {}, text: `update installation set home = ${here} where home is null` });
const look = statement({
  takes: {},
  gives: { isAtHome: flag },
  text: `select coalesce(home = ${here}, false) as is_at_home from installation`,
});
const move = statement({ takes: {}, text: `update installation set home = ${here}` });
const conclude = statement({ takes: {}, text: 'update installation set restored_at = null' });
