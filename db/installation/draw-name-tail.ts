import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';

/** A suffix for something without a row of its own. */
export async function newNameTail(em: EntityManager): Promise<string> {
  const row = await draw.first(em);
  if (row === undefined) throw new Error('the database made no name');
  return row.nameTail;
}

const draw = sql('draw-name-tail.draw')`select new_name_tail() as name_tail`;
